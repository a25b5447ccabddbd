import { domainToASCII } from 'node:url';

type RuleType = 'domain' | 'email' | 'partialDomain';
export type AutoApprovalRule = { id: string; type: RuleType; value: string };

/** Only A to Z: some other letters have an ASCII one as their lower case, and no address holds them. */
function lowerAscii(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** A domain as it stands in addresses: in lower case, in punycode, without the dot of the root. */
function normalDomain(domain: string): string {
  const bare = domain.replace(/\.$/, '');
  const isName = /^[\p{L}\p{M}\p{N}.-]+$/u.test(bare) && /\P{ASCII}/u.test(bare);
  return (isName && domainToASCII(bare)) || lowerAscii(bare);
}

/** The value of a rule in the one form addresses are compared with. What is no domain or address matches none. */
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
 * The rule that makes the owner of an address a public servant: the exact address before its domain, its domain before a
 * part of it, a longer part before a shorter. A part ends at a label: census.gov is no part of 2020census.gov.
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
