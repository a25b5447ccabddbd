import type { ReplyOf } from '@officium/contract/endpoint';
import type { listBulkEnrolments } from '@officium/contract/people-records';
import { SmartForm, useSubmitting } from '../../form/form-scope.tsx';
import { useText } from '../../text.tsx';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';

export type Enrolment = ReplyOf<typeof listBulkEnrolments>['bulkEnrolments'][number];

export const ENROLMENT_STATES = {
  created: 'admin.audit_is_created',
  pending: 'admin.cohorts_waiting',
  enrolled: 'admin.audit_is_enrolled',
  expired: 'admin.audit_is_expired',
} as const;

/** The last day of an enrolment. `about` tells the forms of a page apart. */
export function EnrolmentEnd({ row: { id, metadata }, about }: { row: Enrolment; about: string }) {
  const { t } = useText();
  const intent = `until-${id}`;
  const { isSubmitting } = useSubmitting(intent);
  return (
    <SmartForm intent={intent} className="flex flex-wrap items-end gap-2 max-md:justify-end">
      <input type="hidden" name="id" value={id} />
      <Field
        name="expiresOn"
        id={intent}
        type="date"
        label={`${t('admin.enrol_until')}: ${about}`}
        hideLabel
        hideOptional
        defaultValue={metadata.expiresOn?.slice(0, 10) ?? ''}
      />
      <Button look="quiet" isBusy={isSubmitting}>
        {t('common.save')}
        <span className="sr-only">: {about}</span>
      </Button>
    </SmartForm>
  );
}
