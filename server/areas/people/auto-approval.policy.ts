export type AutoApprovalRule = { id: string; type: 'domain' | 'email' | 'partialDomain'; value: string };

/** The domain of an address and every domain above it, the address's own first: a.b.gov, b.gov, gov. */
export function domainsOf(email: string): string[] {
  const labels = email
    .toLowerCase()
    .slice(email.lastIndexOf('@') + 1)
    .split('.');
  return labels.map((_, index) => labels.slice(index).join('.'));
}

/**
 * The rule that makes the owner of an address a public servant: the exact address before its domain, its domain before a
 * part of it, a longer part before a shorter. A part ends at a label: census.gov is no part of 2020census.gov.
 */
export function matchRule(email: string, rules: readonly AutoApprovalRule[]): AutoApprovalRule | undefined {
  const find = (type: AutoApprovalRule['type'], value: string) =>
    rules.find((rule) => rule.type === type && rule.value.toLowerCase() === value);
  const domains = domainsOf(email);
  const exact = find('email', email.toLowerCase()) ?? find('domain', domains[0] ?? '');
  if (exact) return exact;
  for (const domain of domains) {
    const rule = find('partialDomain', domain);
    if (rule) return rule;
  }
  return undefined;
}
