import { z } from 'zod';
import { booleanParam, limitParam, offsetParam, text, Uuid } from './common.ts';
import { endpoint } from './endpoint.ts';
import { AutoApproval, AutoApprovalType } from './people.ts';

/** Rules of auto-approval as somebody who answers for them wants to see them: what they do, and whether they do it. */

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
        'shadowed: another rule approves all of them · malformed: no address can match · public_suffix: everybody below a suffix under which anybody may have a domain, or a whole state · matches_nobody: a suffix that no address ends with right after its @ · free_mail: anybody can get an address there · unknown_suffix: it ends in no suffix there is',
      ),
    by: Rule.nullable().describe('The rule that shadows it'),
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
  summary: 'list rules with what is wrong with them',
  description: `\`match\` is looked for anywhere in the value. \`warned\` keeps the rules with warnings. Looks at the oldest ${MAX_REVIEWED_RULES} rules.`,
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
      warned: z.int().describe('How many of all rules have warnings'),
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
  summary: 'what would be wrong with a rule, before it is made',
  query: z.object({
    type: AutoApprovalType,
    value: text({ min: 1, max: 254, name: 'Value' }),
    id: Uuid.optional().describe('The rule it would replace'),
  }),
  replies: {
    200: z.object({
      value: z.string().describe('As it would be kept'),
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
  summary: 'which rule would approve addresses, or why none would',
  description: `\`emails\` are separated by commas, semicolons or white space; the first ${MAX_TESTED_ADDRESSES} are tested. Nobody is approved: the answer comes from the rule book that approves people. Addresses are in no address and in no log.`,
  body: z.object({ emails: text({ min: 1, max: 12_000, name: 'E-mails' }) }),
  replies: {
    200: z.object({
      results: z.array(
        z.object({
          email: z.string().describe('As it was given'),
          outcome: z.enum(['approved', 'no_rule', 'malformed']),
          rule: Rule.nullable().describe('The rule that approves it'),
          shadowed: z.array(Rule).describe('Rules that would approve it too, were there not the first'),
          near: z
            .array(
              z.object({
                rule: Rule,
                why: z
                  .enum(['label_boundary', 'exact_domain'])
                  .describe(
                    'label_boundary: the domain ends with the same letters, but not at a dot · exact_domain: the rule is for that very domain, not for those below it',
                  ),
              }),
            )
            .describe('Rules that look as if they approved it, and do not'),
        }),
      ),
      left: z.int().describe('How many addresses were not tested because there were too many'),
    }),
  },
});
