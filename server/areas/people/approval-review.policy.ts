import { Email } from '@officium/contract/common';
import type { RuleWarning } from '@officium/contract/approval-review';
import { parse } from 'tldts';
import { domainsOf, matchRule, type AutoApprovalRule } from './auto-approval.policy.ts';
import { FREE_MAIL_DOMAINS } from './free-mail.data.ts';

/** Rules by lower-case value. */
type RuleBook = ReadonlyMap<string, readonly AutoApprovalRule[]>;
export type Warning = { kind: RuleWarning; by: AutoApprovalRule | null };
export type Near = { rule: AutoApprovalRule; why: 'label_boundary' | 'exact_domain' };
export type Tested = {
  email: string;
  outcome: 'approved' | 'no_rule' | 'malformed';
  rule: AutoApprovalRule | null;
  shadowed: AutoApprovalRule[];
  near: Near[];
};

export function bookOf(rules: readonly AutoApprovalRule[]): RuleBook {
  const book = new Map<string, AutoApprovalRule[]>();
  for (const rule of rules) {
    const value = rule.value.toLowerCase();
    const known = book.get(value);
    if (known) known.push(rule);
    else book.set(value, [rule]);
  }
  return book;
}

const rulesOf = (book: RuleBook, values: readonly string[]) => values.flatMap((value) => book.get(value) ?? []);

/** A sample address that the rule would match. */
const exampleOf = ({ type, value }: AutoApprovalRule) => (type === 'email' ? value : `example@${value}`);

/** Values of rules that could approve everything this rule approves. */
export function valuesAbove(rule: Pick<AutoApprovalRule, 'value'>): string[] {
  return domainsOf(`@${rule.value.slice(rule.value.lastIndexOf('@') + 1)}`);
}

/** The rule that makes this one redundant, if any. */
function shadowOf(rule: AutoApprovalRule, book: RuleBook): AutoApprovalRule | undefined {
  const wider = rulesOf(book, valuesAbove(rule)).filter(
    (other) =>
      other.id !== rule.id && (other.type === 'partialDomain' || (rule.type === 'email' && other.type === 'domain')),
  );
  return matchRule(exampleOf(rule), wider);
}

/** True if a valid address can match the rule. A partial domain needs at least one more label in front. */
export function canMatch({ type, value }: Pick<AutoApprovalRule, 'type' | 'value'>): boolean {
  return Email.safeParse(type === 'email' ? value : `example@${type === 'domain' ? value : `below.${value}`}`).success;
}

/** Top-level domains whose names are registered by governments only. */
const GOVERNMENT = ['gov', 'mil', 'int'];

/** True for a rule that approves every address below a top-level domain in which anybody can register a name. */
export function isOpenToAll({ type, value }: Pick<AutoApprovalRule, 'type' | 'value'>): boolean {
  return type === 'partialDomain' && !value.includes('.') && !GOVERNMENT.includes(value);
}

/** Problems of a rule among the others, worst first. */
export function warningsOf(rule: AutoApprovalRule, book: RuleBook): Warning[] {
  const domain = rule.value.slice(rule.value.lastIndexOf('@') + 1);
  const isWide = rule.type === 'partialDomain';
  if (!canMatch(rule)) {
    const isSuffix = rule.type === 'domain' && canMatch({ ...rule, type: 'partialDomain' });
    return [{ kind: isSuffix ? 'matches_nobody' : 'malformed', by: null }];
  }
  const { publicSuffix, isIcann, isPrivate } = parse(domain, { allowPrivateDomains: true });
  const isKnown = isIcann === true || isPrivate === true;
  const kinds: RuleWarning[] = [];
  if (isWide && isKnown && publicSuffix === domain) kinds.push('public_suffix');
  if (rule.type !== 'email' && FREE_MAIL_DOMAINS.has(domain)) kinds.push('free_mail');
  if (!isKnown) kinds.push('unknown_suffix');
  const by = shadowOf(rule, book);
  return [...kinds.map((kind) => ({ kind, by: null })), ...(by ? [{ kind: 'shadowed' as const, by }] : [])];
}

/** Splits pasted text into addresses, including the form `Name <address>`. */
export function addressesIn(text: string): string[] {
  const bare = text
    .split(/[,;\n]/)
    .map(withoutNames)
    .join(' ');
  return [...new Set(bare.split(/\s+/).filter(Boolean))];
}

/** The parts in angle brackets and the text after the last one, as in `Name <address>`. */
function withoutNames(entry: string): string {
  const parts: string[] = [];
  let start = 0;
  for (;;) {
    const open = entry.indexOf('<', start);
    const close = open < 0 ? -1 : entry.indexOf('>', open);
    if (close < 0) return [...parts, entry.slice(start)].join(' ');
    parts.push(entry.slice(open + 1, close));
    start = close + 1;
  }
}

/** Every rule value that matches an address or looks as if it did. Empty for an invalid address. */
export function valuesAbout(given: string): string[] {
  const { success, data: email = '' } = Email.safeParse(given);
  if (!success) return [];
  const domain = email.slice(email.lastIndexOf('@') + 1);
  return [email, ...Array.from(domain, (_, start) => domain.slice(start))];
}

/** Tests an address against the rules and explains the result. */
export function testAddress(given: string, book: RuleBook): Tested {
  const { success, data: email = '' } = Email.safeParse(given);
  const none = { email: given, rule: null, shadowed: [], near: [] };
  if (!success) return { ...none, outcome: 'malformed' };
  const about = rulesOf(book, valuesAbout(email));
  const passing: AutoApprovalRule[] = [];
  for (let rest = about; ;) {
    const rule = matchRule(email, rest);
    if (!rule) break;
    passing.push(rule);
    rest = rest.filter((other) => other !== rule);
  }
  const [rule, ...shadowed] = passing;
  if (rule) return { ...none, outcome: 'approved', rule, shadowed };
  const above = domainsOf(email);
  const near = about.flatMap((other): Near[] => {
    if (other.type === 'email') return [];
    return [{ rule: other, why: above.includes(other.value.toLowerCase()) ? 'exact_domain' : 'label_boundary' }];
  });
  return { ...none, outcome: 'no_rule', near };
}
