import { z } from 'zod';
import { booleanParam, limitParam, offsetParam, text, Uuid } from './common.ts';
import { endpoint } from './endpoint.ts';
import { AutoApproval, AutoApprovalType } from './people.ts';

/** Auto-approval rules for review: what each rule approves and what is wrong with it. */

export const RULE_WARNINGS = [
  'shadowed',
  'malformed',
  'public_suffix',
  'matches_nobody',
  'free_mail',
  'unknown_suffix',
] as const;
export type RuleWarning = (typeof RULE_WARNINGS)[number];
const SORTED_BY = ['value', 'type', 'createdAt'] as const;
export const RULE_SORTS = [...SORTED_BY, ...SORTED_BY.map((name) => `-${name}` as const)] as const;
export const MAX_TESTED_ADDRESSES = 200;
export const MAX_REVIEWED_RULES = 10_000;

const Rule = z.object({ id: Uuid, type: AutoApprovalType, value: z.string() });
const Warning = z
  .object({
    kind: z
      .enum(RULE_WARNINGS)
      .describe(
        'shadowed: another rule approves the same people · malformed: no address can match · public_suffix: matches everyone below a suffix under which anyone may register a domain, or a whole country · matches_nobody: no address ends with this suffix right after the @ · free_mail: anyone can get an address there · unknown_suffix: the suffix does not exist',
      ),
    by: Rule.nullable().describe('The shadowing rule'),
  })
  .meta({ id: 'RuleWarning' });

const type = AutoApprovalType.optional();

export const reviewAutoApprovals = endpoint({
  name: 'reviewAutoApprovals',
  service: 'people',
  method: 'GET',
  path: '/auto-approval-review',
  auth: 'service',
  extension: true,
  summary: 'List auto-approval rules with their warnings',
  description: `\`match\` finds a part of the value. \`warned\` returns only rules with warnings. Reviews the oldest ${MAX_REVIEWED_RULES} rules.`,
  query: z.object({
    type,
    match: text({ max: 254, name: 'Match' }).default(''),
    warned: booleanParam.default(false),
    sort: z.enum(RULE_SORTS, { error: `Must be one of ${RULE_SORTS.join(', ')}` }).default('value'),
    limit: limitParam(50),
    offset: offsetParam(),
  }),
  replies: {
    200: z.object({
      rules: z.array(AutoApproval.extend({ warnings: z.array(Warning) })),
      total: z.int(),
      warned: z.int().describe('Number of rules with warnings'),
    }),
  },
});

export const checkAutoApproval = endpoint({
  name: 'checkAutoApproval',
  service: 'people',
  method: 'GET',
  path: '/auto-approval-check',
  auth: 'service',
  extension: true,
  summary: 'Check a rule before creating it',
  query: z.object({
    type: AutoApprovalType,
    value: text({ min: 1, max: 254, name: 'Value' }),
    id: Uuid.optional().describe('Id of the rule it would replace'),
  }),
  replies: {
    200: z.object({
      value: z.string().describe('The value as it would be stored'),
      warnings: z.array(Warning),
    }),
  },
});

export const testAutoApprovals = endpoint({
  name: 'testAutoApprovals',
  service: 'people',
  method: 'POST',
  path: '/auto-approval-tests',
  auth: 'service',
  extension: true,
  summary: 'Test which rule would approve addresses',
  description: `\`emails\` are separated by commas, semicolons or white space; the first ${MAX_TESTED_ADDRESSES} are tested. Nobody is approved by the test, which uses the same rules as real approvals. The addresses appear in no URL and no log.`,
  body: z.object({ emails: text({ min: 1, max: 12_000, name: 'E-mails' }) }),
  replies: {
    200: z.object({
      results: z.array(
        z.object({
          email: z.string().describe('As submitted'),
          outcome: z.enum(['approved', 'no_rule', 'malformed']),
          rule: Rule.nullable().describe('The approving rule'),
          shadowed: z.array(Rule).describe('Other rules that would also approve it'),
          near: z
            .array(
              z.object({
                rule: Rule,
                why: z
                  .enum(['label_boundary', 'exact_domain'])
                  .describe(
                    'label_boundary: the domain ends with the same letters, but not at a dot · exact_domain: the rule covers this domain only, not its subdomains',
                  ),
              }),
            )
            .describe('Rules that nearly match but do not approve it'),
        }),
      ),
      left: z.int().describe('Number of addresses not tested because there were too many'),
    }),
  },
});

/** Why no rule approved an account. */
export const APPROVAL_REASONS = [
  'approved',
  'inactive',
  'refused',
  'unproven',
  'proven_before',
  'no_rules',
  'no_rule',
] as const;
export const MAX_NEAR_RULES = 5;

export const ApprovalExplanation = z.object({
  reason: z
    .enum(APPROVAL_REASONS)
    .describe(
      'approved: by a rule or a person · inactive: the account has the role inactive · refused: rules leave a refused registration refused · unproven: rules apply when the address is proven · proven_before: `rule` matches, but the address was proven before it did, or the approval was taken back since · no_rules: there are none · no_rule: none matches',
    ),
  rule: Rule.nullable().describe('The rule that matches the address now'),
  near: z
    .array(
      z.object({
        rule: Rule,
        why: z
          .enum(['exact_domain', 'other_address', 'other_domain', 'label_boundary'])
          .describe(
            'exact_domain: the rule covers this domain only, not its subdomains · other_address: another address of the same domain · other_domain: another domain of the same organisation · label_boundary: the domain ends with the same letters, but not at a dot',
          ),
      }),
    )
    .describe(`Without \`rule\`: the rules that come nearest, at most ${MAX_NEAR_RULES}, nearest first`),
  rules: z.object({ domain: z.int(), email: z.int(), partialDomain: z.int() }).describe('The number of rules by type'),
});
export type ApprovalExplanation = z.output<typeof ApprovalExplanation>;

export const explainApproval = endpoint({
  name: 'explainApproval',
  service: 'people',
  method: 'GET',
  path: '/users/{id}/approval',
  auth: 'admin',
  extension: true,
  summary: 'Explain why no auto-approval rule approved an account',
  description:
    'For administrators, who decide about registrations that wait. Decided by the policy that approves accounts, with the rules of today. An operation of its own, so that nothing of it is in the record that the account itself can read. Each view is audited, at most hourly.',
  params: z.object({ id: Uuid }),
  replies: { 200: ApprovalExplanation },
});
