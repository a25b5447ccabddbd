import { createContext, useContext } from 'react';
import type { CommunitySettings } from '@officium/contract/community-settings';
import { useText } from '../../text.tsx';
import { Select } from '../../ui/field.tsx';
import { plainText } from '../../ui/plain-text.ts';
import { RichText } from '../../ui/rich-text.tsx';

type Rules = CommunitySettings['rules'];
const NO_RULES: string[] = [];
const MOST_CHARACTERS = 80;

/** Each rule in a few words, for a form to name it by. */
export function namesOfRules(rules: Rules): string[] {
  return rules.map(({ html }) => plainText(html, MOST_CHARACTERS));
}

const Context = createContext<string[]>(NO_RULES);
/** The rules of the community that forms below may name. */
export const RulesProvider = Context.Provider;

/** Which rule something breaks; nothing in a community without rules. */
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

/** The number a form names, if any. */
export function ruleOf(fields: FormData): number | undefined {
  return Number(fields.get('rule')) || undefined;
}

/** The rules, numbered; a single one is a text. */
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
