import type { ReachFinding } from '../operator-contract/reachability.ts';

interface ReachText {
  /** What the check found. */
  found: string;
  /** What the operator can do now. It is null when there is nothing to do. */
  next: string | null;
}

const passOn =
  'The program in front of paydesk must pass on method, path, query, body and the headers Signature, Signature-Input, Content-Digest and Authorization as they are. docs/server.md shows how.';
const checkWay = 'Check that the name and port lead to this node and not to another program, and that every path is passed on.';
const setClocks = 'Set the clocks of this computer and the program in front of it by network time (NTP).';

const well = (found: string): ReachText => ({ found, next: null });
const daysText = (days: number): string => (days === 1 ? 'one day' : `${days} days`);

/** What one step of the reachability check found, and what the operator can do. */
export function reachText(finding: ReachFinding): ReachText {
  switch (finding.code) {
    case 'earlier_step':
      return well('Not tried: an earlier step has to work first.');
    case 'url_not_given':
      return {
        found: 'No public address is set, so only this computer can reach the node.',
        next: 'Get a name on the internet, point it at this computer, and start paydesk with --public-url https://that-name.',
      };
    case 'url_of_this_computer':
      return {
        found: `${finding.url} leads every computer to itself.`,
        next: 'Start paydesk with --public-url and the name others know it by.',
      };
    case 'url_public':
      return well(`Others know the node as ${finding.url}.`);
    case 'no_address':
    case 'own_computer':
    case 'own_network':
    case 'public_address':
      return nameText(finding);
    case 'port_refused':
    case 'port_silent':
    case 'port_partly':
    case 'port_open':
      return portText(finding);
    case 'tls_not_needed':
    case 'not_encrypted':
    case 'no_tls':
    case 'certificate_refused':
    case 'certificate_ends_soon':
    case 'certificate_trusted':
      return tlsText(finding);
    case 'no_answer':
    case 'no_date':
    case 'other_program':
    case 'clocks_far_apart':
    case 'clocks_differ':
    case 'clocks_agree':
      return clockText(finding);
    case 'no_account':
    case 'signature_changed':
    case 'signature_lost':
    case 'signature_right':
      return signatureText(finding);
  }
}

type Finding<Code extends ReachFinding['code']> = Extract<ReachFinding, { code: Code }>;

function nameText(finding: Finding<'no_address' | 'own_computer' | 'own_network' | 'public_address'>): ReachText {
  const { host } = finding;
  switch (finding.code) {
    case 'no_address':
      return {
        found: `The name ${host} has no address.`,
        next: 'Where your domain is managed, add an A record (or AAAA, for IPv6) with the public address of this computer. It can take an hour to be seen everywhere.',
      };
    case 'own_computer':
      return well(`${host} is this computer.`);
    case 'own_network':
      return {
        found: `${host} leads to ${finding.addresses.join(', ')}, which only your own network can reach.`,
        next: 'That is right when your router or hosts file answers for your own network. If others cannot reach it, point the name at your public address.',
      };
    case 'public_address':
      return well(`${host} leads to ${finding.addresses.join(', ')}.`);
  }
}

function portText(finding: Finding<'port_refused' | 'port_silent' | 'port_partly' | 'port_open'>): ReachText {
  const { port } = finding;
  switch (finding.code) {
    case 'port_refused':
    case 'port_silent':
      return {
        found: finding.code === 'port_refused' ? `Nobody listens on port ${port} there.` : `Port ${port} does not answer.`,
        next: `Let your router or firewall pass port ${port} on to this computer, where paydesk listens on ${finding.listen}. Some routers do not let you in by your own public address: then try from a phone without Wi-Fi.`,
      };
    case 'port_partly':
      return {
        found: `Port ${port} answers, but not at ${finding.closed.join(', ')}.`,
        next: 'Visitors may be led to that address. Open the port there too, or take the address out of the records of your name.',
      };
    case 'port_open':
      return well(`Port ${port} answers.`);
  }
}

function tlsText(
  finding: Finding<'tls_not_needed' | 'not_encrypted' | 'no_tls' | 'certificate_refused' | 'certificate_ends_soon' | 'certificate_trusted'>,
): ReachText {
  switch (finding.code) {
    case 'tls_not_needed':
      return well('On this computer itself no encryption is needed.');
    case 'not_encrypted':
      return { found: 'Connections are not encrypted.', next: 'Start paydesk with a --public-url that begins with https://.' };
    case 'no_tls':
      return {
        found: 'No encrypted connection comes about.',
        next: 'Give paydesk a certificate with --tls-cert and --tls-key, or put a program in front of it that has one; docs/server.md shows both.',
      };
    case 'certificate_refused':
      return { found: refusalText(finding.refusal, finding.host), next: refusalAdvice(finding.refusal) };
    case 'certificate_ends_soon':
      return { found: `The certificate is trusted, but it ends in ${daysText(finding.days)}.`, next: 'Renew it now.' };
    case 'certificate_trusted':
      return well(`The certificate is trusted, and good for another ${finding.days} days.`);
  }
}

function refusalText(refusal: string, host: string): string {
  if (refusal === 'CERT_HAS_EXPIRED') return 'The certificate has ended, and programs of others refuse it.';
  if (refusal === 'ERR_TLS_CERT_ALTNAME_INVALID') return `The certificate is for another name than ${host}.`;
  if (/SELF_SIGNED/.test(refusal)) return 'The certificate vouches for itself, and programs of others refuse it.';
  return `Programs of others refuse the certificate (${refusal}).`;
}

const refusalAdvice = (refusal: string): string =>
  /UNABLE_TO_(GET|VERIFY)/.test(refusal)
    ? 'Part of the chain is missing: use the file with the full chain (often fullchain.pem) for --tls-cert.'
    : 'Get one for this name from an authority that browsers trust, such as Let’s Encrypt; it costs nothing.';

function clockText(
  finding: Finding<'no_answer' | 'no_date' | 'other_program' | 'clocks_far_apart' | 'clocks_differ' | 'clocks_agree'>,
): ReachText {
  switch (finding.code) {
    case 'no_answer':
      return {
        found: 'The node did not answer a simple request by its public address.',
        next: 'Check that the program in front of paydesk passes requests on to it, and that nothing else listens on this port.',
      };
    case 'no_date':
      return { found: 'The node did not answer a simple request by its public address.', next: checkWay };
    case 'other_program':
      return {
        found: `By its public address something else than paydesk answers (status ${finding.status}).`,
        next: checkWay,
      };
    case 'clocks_far_apart':
      return { found: `The clocks on the way differ by ${finding.seconds} seconds; signatures are refused from 300 on.`, next: setClocks };
    case 'clocks_differ':
      return { found: `The clocks on the way differ by ${finding.seconds} seconds.`, next: setClocks };
    case 'clocks_agree':
      return well('The clocks on the way agree with this computer’s.');
  }
}

function signatureText(finding: Finding<'no_account' | 'signature_changed' | 'signature_lost' | 'signature_right'>): ReachText {
  switch (finding.code) {
    case 'no_account':
      return { found: 'Not tried: there is no account yet in whose name to sign.', next: 'Open an account first.' };
    case 'signature_changed':
      return { found: 'A signed request arrives changed, so that its signature is not right any more.', next: passOn };
    case 'signature_lost':
      return {
        found: `A signed request does not arrive${finding.status === null ? '' : ` (status ${finding.status})`}.`,
        next: passOn,
      };
    case 'signature_right':
      return well('A signed request comes through unchanged, and its signature is found right.');
  }
}
