import type { ReachFinding } from '../operator-contract/reachability.ts';
import { area } from './language/language.ts';

const text = area('reachFindings');

interface ReachText {
  /** What the check found. */
  found: string;
  /** What the operator can do now. It is null when there is nothing to do. */
  next: string | null;
}

/** What one step of the reachability check found, and what the operator can do. */
export function reachText(finding: ReachFinding): ReachText {
  switch (finding.code) {
    case 'earlier_step':
    case 'tls_not_needed':
    case 'clocks_agree':
    case 'signature_right':
      return well(text[finding.code].found);
    case 'port_open':
      return well(text.port_open.found({ port: String(finding.port) }));
    case 'url_not_given':
    case 'not_encrypted':
    case 'no_tls':
    case 'no_answer':
    case 'no_date':
    case 'no_account':
    case 'signature_changed':
      return text[finding.code];
    case 'url_of_this_computer':
      return { ...text.url_of_this_computer, found: text.url_of_this_computer.found({ url: finding.url }) };
    case 'url_public':
      return well(text.url_public.found({ url: finding.url }));
    case 'no_address':
    case 'own_computer':
    case 'own_network':
    case 'public_address':
      return nameText(finding);
    case 'port_refused':
    case 'port_silent':
    case 'port_partly':
      return portText(finding);
    case 'certificate_refused':
    case 'certificate_ends_soon':
    case 'certificate_trusted':
      return certificateText(finding);
    case 'other_program':
      return { ...text.other_program, found: text.other_program.found({ status: String(finding.status) }) };
    case 'clocks_far_apart':
    case 'clocks_differ':
      return { ...text[finding.code], found: text[finding.code].found({ seconds: finding.seconds }) };
    case 'signature_lost':
      return signatureText(finding);
  }
}

type Finding<Code extends ReachFinding['code']> = Extract<ReachFinding, { code: Code }>;

const well = (found: string): ReachText => ({ found, next: null });

function nameText(finding: Finding<'no_address' | 'own_computer' | 'own_network' | 'public_address'>): ReachText {
  const { host } = finding;
  switch (finding.code) {
    case 'no_address':
      return { ...text.no_address, found: text.no_address.found({ host }) };
    case 'own_computer':
      return well(text.own_computer.found({ host }));
    case 'own_network':
      return { ...text.own_network, found: text.own_network.found({ host, addresses: finding.addresses.join(', ') }) };
    case 'public_address':
      return well(text.public_address.found({ host, addresses: finding.addresses.join(', ') }));
  }
}

function portText(finding: Finding<'port_refused' | 'port_silent' | 'port_partly'>): ReachText {
  const port = String(finding.port);
  if (finding.code === 'port_partly') {
    const says = text.port_partly;
    return { ...says, found: says.found({ port, addresses: finding.closed.join(', ') }) };
  }
  const says = text[finding.code];
  return { found: says.found({ port }), next: says.next({ port, listen: finding.listen }) };
}

function certificateText(finding: Finding<'certificate_refused' | 'certificate_ends_soon' | 'certificate_trusted'>): ReachText {
  switch (finding.code) {
    case 'certificate_refused':
      return { found: refusalText(finding.refusal, finding.host), next: refusalAdvice(finding.refusal) };
    case 'certificate_ends_soon':
      return { ...text.certificate_ends_soon, found: text.certificate_ends_soon.found({ days: finding.days }) };
    case 'certificate_trusted':
      return well(text.certificate_trusted.found({ days: finding.days }));
  }
}

function refusalText(refusal: string, host: string): string {
  const says = text.refusals;
  if (refusal === 'CERT_HAS_EXPIRED') return says.CERT_HAS_EXPIRED;
  if (refusal === 'ERR_TLS_CERT_ALTNAME_INVALID') return says.ERR_TLS_CERT_ALTNAME_INVALID({ host });
  return /SELF_SIGNED/.test(refusal) ? says.selfSigned : says.other({ refusal });
}

const refusalAdvice = (refusal: string): string => (/UNABLE_TO_(GET|VERIFY)/.test(refusal) ? text.refusals.chain : text.refusals.authority);

function signatureText({ status }: Finding<'signature_lost'>): ReachText {
  const says = text.signature_lost;
  return { found: status === null ? says.found : says.foundStatus({ status: String(status) }), next: says.next };
}
