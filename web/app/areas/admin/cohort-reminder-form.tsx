import type { readCohortProgress } from '@officium/contract/cohorts';
import type { ReplyOf } from '@officium/contract/endpoint';
import type { ReactNode } from 'react';
import { SmartForm, useSubmitting } from '../../form/form-scope.tsx';
import { useText } from '../../text.tsx';
import { Button } from '../../ui/button.tsx';
import { Select, TextArea } from '../../ui/field.tsx';

type Journey = Pick<ReplyOf<typeof readCohortProgress>['journeys'][number], 'id' | 'notStarted' | 'started' | 'late'>;

/** Around the table of people, whose checkboxes it submits. */
export function ReminderForm({ journey, children }: { journey: Journey; children: ReactNode }) {
  const { t } = useText();
  const { isSubmitting } = useSubmitting('remind');
  const { id, notStarted, started, late } = journey;
  const choices = [
    { value: 'selected', label: t('admin.cohorts_remind_selected') },
    { value: 'not-started', label: t('admin.cohorts_remind_not_started', { count: notStarted }) },
    ...(late > 0 ? [{ value: 'late', label: t('admin.cohorts_remind_late', { count: late }) }] : []),
    { value: 'all', label: t('admin.cohorts_remind_all', { count: notStarted + started }) },
  ];
  return (
    <SmartForm intent="remind" preventScrollReset>
      <input type="hidden" name="journey" value={id} />
      {children}
      <fieldset className="mt-8 grid max-w-xl gap-4">
        <legend className="text-xl font-semibold">{t('admin.cohorts_remind')}</legend>
        <p className="text-muted">{t('admin.cohorts_remind_text')}</p>
        <Select name="whom" label={t('admin.cohorts_remind_whom')} options={choices} required />
        <TextArea
          name="words"
          label={t('admin.cohorts_remind_words')}
          hint={t('admin.cohorts_remind_words_hint')}
          maxLength={1000}
          rows={3}
          dir="auto"
        />
        <div>
          <Button isBusy={isSubmitting}>{t('admin.cohorts_remind_send')}</Button>
        </div>
      </fieldset>
    </SmartForm>
  );
}
