import { MAX_NEAR_RULES, type ApprovalExplanation } from '@officium/contract/approval-review';
import { parse } from 'tldts';
import { bookOf, testAddress, valuesAbout } from './approval-review.policy.ts';
import { type AutoApprovalRule, domainsOf } from './auto-approval.policy.ts';
import { isOpenToRules, statusOf } from './registration.policy.ts';

type Account = {
  email: string;
  role: string;
  registration_status: string | null;
  email_proven_at: Date | null;
};
type Near = ApprovalExplanation['near'][number];
type Explained = Pick<ApprovalExplanation, 'reason' | 'rule' | 'near'>;

/** Nearest first. */
const NEARNESS: readonly Near['why'][] = ['exact_domain', 'other_address', 'other_domain', 'label_boundary'];

/** The domain that the organisation of an address registered; null for a public suffix. */
const registeredDomain = (value: string) =>
  parse(value.slice(value.lastIndexOf('@') + 1), { allowPrivateDomains: true }).domain;

/** The input of `explain` to look up: the values that match or look alike, and the domain whose other rules are near. */
export function lookupFor(email: string): { values: string[]; domain: string | null } {
  return { values: valuesAbout(email), domain: registeredDomain(email) };
}

/** Rules for others of the same organisation. */
function relatedTo(email: string, rules: readonly AutoApprovalRule[]): Near[] {
  const [own = ''] = domainsOf(email);
  const registered = registeredDomain(email);
  if (registered === null) return [];
  return rules
    .filter(({ value }) => registeredDomain(value) === registered)
    .map((rule) => {
      const isSameDomain = rule.type === 'email' && domainsOf(rule.value)[0] === own;
      return { rule, why: isSameDomain ? 'other_address' : 'other_domain' };
    });
}

/** The rules that nearly match, each once, nearest first; among equals the most specific. */
function nearest(near: readonly Near[]): Near[] {
  const first = new Map<string, Near>();
  for (const one of near) if (!first.has(one.rule.id)) first.set(one.rule.id, one);
  const rank = ({ why }: Near) => NEARNESS.indexOf(why);
  return [...first.values()]
    .toSorted((a, b) => rank(a) - rank(b) || b.rule.value.length - a.rule.value.length)
    .slice(0, MAX_NEAR_RULES);
}

/** Why no rule approved an account, by the policy that approves. `rules`: those of `lookupFor`; `hasRules`: there are any. */
export function explain(account: Account, rules: readonly AutoApprovalRule[], hasRules: boolean): Explained {
  const tested = testAddress(account.email, bookOf(rules));
  return {
    reason: reasonOf(account, { isMatched: tested.rule !== null, hasRules }),
    rule: tested.rule,
    near: tested.rule ? [] : nearest([...tested.near, ...relatedTo(account.email, rules)]),
  };
}

type Matched = { isMatched: boolean; hasRules: boolean };

function reasonOf(account: Account, { isMatched, hasRules }: Matched): ApprovalExplanation['reason'] {
  if (account.role === 'inactive') return 'inactive';
  if (statusOf(account) === 'approved') return 'approved';
  if (!isOpenToRules(account.registration_status)) return 'refused';
  if (!account.email_proven_at) return 'unproven';
  if (isMatched) return 'proven_before';
  return hasRules ? 'no_rule' : 'no_rules';
}
