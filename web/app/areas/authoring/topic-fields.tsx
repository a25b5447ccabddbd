import { useFormScope } from '../../form/form-scope.tsx';
import { issueOf } from '../../form/state.ts';
import { useText } from '../../text.tsx';
import { topicKey, TOPICS, type Topic } from '../../topics.ts';
import { Checkbox, FieldGroup } from '../../ui/field.tsx';

// The contract's module carries zod, which has no place in the browser.
const MAX_TOPICS = 3;

/** Up to three of the twelve topics. */
export function TopicFields({ topics }: { topics: readonly Topic[] }) {
  const { t } = useText();
  const { state } = useFormScope();
  const limit = t('article.topics_limit', { count: MAX_TOPICS });
  return (
    <FieldGroup
      name="topics"
      legend={`${t('article.topics')} (${t('common.optional')})`}
      hint={limit}
      error={issueOf(state, 'topics') && limit}
    >
      <div className="grid gap-x-6 sm:grid-cols-2">
        {TOPICS.map((topic) => (
          <Checkbox
            key={topic}
            name={topic}
            label={t(topicKey(topic))}
            defaultChecked={state?.values ? topic in state.values : topics.includes(topic)}
          />
        ))}
      </div>
    </FieldGroup>
  );
}
