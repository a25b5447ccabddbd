import { createContext, useContext } from 'react';
import type { CommunitySettings } from '@officium/contract/community-settings';
import { useText } from '../../text.tsx';
import { Select } from '../../ui/field.tsx';
import { plainText } from '../../ui/plain-text.ts';
import { RichText } from '../../ui/rich-text.tsx';

type Rules = CommunitySettings['rules'];
const NO_RULES: string[] = [];
const MOST_CHARACTERS = 80;

/** A short name for each rule, for select fields. */
export function namesOfRules(rules: Rules): string[] {
  return rules.map(({ html }) => plainText(html, MOST_CHARACTERS));
}

const Context = createContext<string[]>(NO_RULES);
/** Provides the rules of the community to the forms below. */
export const RulesProvider = Context.Provider;

/** Select for the broken rule; renders nothing in a community without rules. */
export function RuleField() {
  const { t } = useText();
  const rules = useContext(Context);
  if (rules.length === 0) return null;
  const options = rules.map((name, index) => ({ value: String(index + 1), label: `${index + 1}. ${name}` }));
  return (
    <Select
      name="rule"
      label={t('moderation.rule_broken')}
      options={[{ value: '', label: t('moderation.rule_none') }, ...options]}
    />
  );
}

/** The submitted rule number, if any. */
export function ruleOf(fields: FormData): number | undefined {
  return Number(fields.get('rule')) || undefined;
}

/** Numbered rules; a single rule is a plain text. */
export function RuleList({ rules, lang }: { rules: Rules; lang: string }) {
  const [first] = rules;
  if (rules.length === 1 && first) return <RichText html={first.html} lang={lang} isCompact />;
  return (
    <ol className="grid list-decimal gap-2 ps-6 marker:font-semibold">
      {rules.map(({ html }, index) => (
        <li key={index}>
          <RichText html={html} lang={lang} isCompact />
        </li>
      ))}
    </ol>
  );
}
