import type { Core } from '../../platform/core.ts';
import type { OutboundProblem, OutboundText } from '../../platform/outbound-http/outbound-http.ts';
import { ok, refuse } from '../../platform/result.ts';
import { ExchangeFees } from '../exchange-fees.ts';
import { FollowedRates } from '../sources/followed-rates.ts';
import { RateSources } from '../sources/rate-sources.ts';

/** The daily file of the European Central Bank as it looks, for one day. */
export const ecbFile = (day: string, rates: Readonly<Record<string, string>>): string =>
  `<?xml version="1.0" encoding="UTF-8"?>
<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref">
	<gesmes:subject>Reference rates</gesmes:subject>
	<gesmes:Sender>
		<gesmes:name>European Central Bank</gesmes:name>
	</gesmes:Sender>
	<Cube>
		<Cube time='${day}'>
${Object.entries(rates)
  .map(([currency, rate]) => `\t\t\t<Cube currency='${currency}' rate='${rate}'/>`)
  .join('\n')}
		</Cube>
	</Cube>
</gesmes:Envelope>`;

/** What each URL answers: a text, or why there is no answer. Every other URL cannot be reached. */
type Answers = Map<string, string | { readonly problem: OutboundProblem } | { readonly status: number }>;

/** Opens the sources of rates over computers that answer what a test says. */
export function openRateSources({ database, clock }: Pick<Core, 'database' | 'clock'>) {
  const answers: Answers = new Map();
  const http: OutboundText = {
    getText: async (url) => {
      const answer = answers.get(url) ?? { problem: 'unreachable' };
      if (typeof answer === 'string') return ok({ status: 200, text: answer });
      return 'problem' in answer ? refuse(answer.problem) : ok({ status: answer.status, text: '' });
    },
  };
  const parts = { database, clock };
  return {
    answers,
    rateSources: new RateSources({ ...parts, http }),
    followedRates: new FollowedRates(parts),
    exchangeFees: new ExchangeFees(parts),
  };
}
