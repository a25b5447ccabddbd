import { SmartForm, useFormState, useSubmitting } from '../../form/form-scope.tsx';
import { useText } from '../../text.tsx';
import { Button } from '../../ui/button.tsx';
import { Field, TextArea } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';

export type JobDraft = { jobTitle: string; tasks: string };

/** The form that describes a job. */
export function JobForm({ draft, maxTitle }: { draft: JobDraft; /** Maximum length of a title. */ maxTitle: number }) {
  const { t } = useText();
  const { isSubmitting } = useSubmitting('analyse');
  const state = useFormState();
  return (
    <>
      {state?.status === 503 ? (
        <div className="mb-6">
          <Notice live>{t('task.loading')}</Notice>
        </div>
      ) : null}
      <SmartForm intent="analyse" className="grid gap-6">
        <Field
          name="jobTitle"
          label={t('task.job_title')}
          hint={t('task.job_title_hint')}
          defaultValue={state?.values?.['jobTitle'] ?? draft.jobTitle}
          maxLength={maxTitle}
          autoComplete="organization-title"
          dir="auto"
          required
        />
        <TextArea
          name="tasks"
          label={t('task.tasks')}
          hint={t('task.tasks_hint')}
          defaultValue={state?.values?.['tasks'] ?? draft.tasks}
          rows={7}
          className="[&_textarea]:min-h-48"
          dir="auto"
        />
        <div className="flex flex-wrap items-center gap-x-5 gap-y-2">
          <Button isBusy={isSubmitting}>{t('task.submit')}</Button>
          {isSubmitting ? <p className="text-muted">{t('task.working')}</p> : null}
        </div>
      </SmartForm>
    </>
  );
}
