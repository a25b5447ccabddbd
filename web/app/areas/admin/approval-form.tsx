import { useActionData } from 'react-router';
import { SmartForm, useSubmitting } from '../../form/form-scope.tsx';
import { useText } from '../../text.tsx';
import { Button } from '../../ui/button.tsx';
import { Field, Select } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { ruleTypeOptions, warningText, type RuleType, type RuleWarning } from './approval-words.ts';

/** Result of an action when a rule has warnings and has not been saved yet. */
export type Doubt = { doubt: { type: RuleType; value: string; warnings: RuleWarning[] } };

function asDoubt(answer: unknown): Doubt['doubt'] | undefined {
  const isDoubt = typeof answer === 'object' && answer !== null && 'doubt' in answer;
  return isDoubt ? (answer as Doubt).doubt : undefined; // approval-save.ts alone returns this shape
}

type Props = { intent: string; rule?: { type: RuleType; value: string }; submit: string };

/** Type and value of a rule. Warnings are shown before it is saved; a second submit saves it anyway. */
export function RuleForm({ intent, rule, submit }: Props) {
  const text = useText();
  const { t } = text;
  const doubt = asDoubt(useActionData<unknown>());
  const { isSubmitting } = useSubmitting(intent);
  const shown = doubt ?? rule;
  return (
    <SmartForm key={`${shown?.type} ${shown?.value}`} intent={intent} className="grid max-w-prose gap-4">
      <Select
        name="type"
        label={t('admin.approval_type')}
        required
        options={ruleTypeOptions(text)}
        defaultValue={shown?.type ?? 'domain'}
      />
      <Field
        name="value"
        label={t('admin.approval_value')}
        hint={t('admin.approval_value_hint')}
        required
        maxLength={254}
        dir="ltr"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        defaultValue={shown?.value}
      />
      {doubt ? (
        <Notice tone="danger" title={t('admin.approval_warn_title')} live>
          <ul className="grid gap-1">
            {doubt.warnings.map((warning) => (
              <li key={warning.kind}>{warningText(text, doubt.value, warning)}</li>
            ))}
          </ul>
          <input type="hidden" name="accepted" value={`${doubt.type} ${doubt.value}`} />
        </Notice>
      ) : null}
      <div>
        <Button look={doubt ? 'danger' : 'primary'} isBusy={isSubmitting}>
          {doubt ? t('admin.approval_anyway') : submit}
        </Button>
      </div>
    </SmartForm>
  );
}
