import { domainToASCII } from 'node:url';

type RuleType = 'domain' | 'email' | 'partialDomain';
export type AutoApprovalRule = { id: string; type: RuleType; value: string };

/** Lowers A to Z only. Some non-ASCII letters lower to ASCII ones, which would make lookalikes match. */
function lowerAscii(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** A domain in the form used in addresses: lower case, punycode, no trailing dot. */
function normalDomain(domain: string): string {
  const bare = domain.replace(/\.$/, '');
  const isName = /^[\p{L}\p{M}\p{N}.-]+$/u.test(bare) && /\P{ASCII}/u.test(bare);
  return (isName && domainToASCII(bare)) || lowerAscii(bare);
}

/** Normalises a rule's value for comparison with addresses. An invalid value matches nothing. */
export function normalValue(type: RuleType, value: string): string {
  if (type === 'email') {
    const at = value.lastIndexOf('@') + 1;
    return lowerAscii(value.slice(0, at)) + normalDomain(value.slice(at));
  }
  const bare = normalDomain(value.replace(type === 'domain' ? /^[@.]/ : /^(?:@|\*?\.)/, ''));
  return bare || value;
}

/** The domain of an address and every domain above it, the address's own first: a.b.gov, b.gov, gov. */
export function domainsOf(email: string): string[] {
  const labels = lowerAscii(email)
    .slice(email.lastIndexOf('@') + 1)
    .split('.');
  return labels.map((_, index) => labels.slice(index).join('.'));
}

/**
 * The most specific rule that approves an address: the exact address, then its domain, then the longest partial domain.
 * Partial domains match whole labels: census.gov does not match 2020census.gov.
 */
export function matchRule(email: string, rules: readonly AutoApprovalRule[]): AutoApprovalRule | undefined {
  const find = (type: RuleType, value: string) =>
    rules.find((rule) => rule.type === type && lowerAscii(rule.value) === value);
  const domains = domainsOf(email);
  const exact = find('email', lowerAscii(email)) ?? find('domain', domains[0] ?? '');
  if (exact) return exact;
  for (const domain of domains) {
    const rule = find('partialDomain', domain);
    if (rule) return rule;
  }
  return undefined;
}
