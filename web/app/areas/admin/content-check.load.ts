import { CHECK_RULES, type CheckFinding } from '@officium/contract/content-checks';
import { isLocale, type Locale } from '@officium/i18n/locales';

export const SEVERITIES = ['must', 'should'] as const;
export type CheckFilters = {
  severity?: (typeof SEVERITIES)[number];
  rule?: CheckFinding['rule'];
  language?: Locale;
  match?: string;
};

/** Reads the filters of the findings from the address; unknown values are ignored. */
export function checkFiltersOf(query: URLSearchParams, match: string): CheckFilters {
  const severity = SEVERITIES.find((known) => known === query.get('severity'));
  const rule = CHECK_RULES.find((known) => known === query.get('rule'));
  const language = query.get('language');
  return {
    ...(severity && { severity }),
    ...(rule && { rule }),
    ...(isLocale(language) && { language }),
    ...(match && { match }),
  };
}
