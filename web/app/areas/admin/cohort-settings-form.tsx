import type { readCohortSettings } from '@officium/contract/cohort-settings';
import type { ReplyOf } from '@officium/contract/endpoint';
import { SmartForm, useSubmitting } from '../../form/form-scope.tsx';
import { useText } from '../../text.tsx';
import { Button } from '../../ui/button.tsx';
import { Checkbox, FieldGroup, Radio } from '../../ui/field.tsx';

/** Settings of the cohort that act for its members by themselves. */
export function CohortSettingsForm({ settings }: { settings: ReplyOf<typeof readCohortSettings> }) {
  const { t } = useText();
  const { isSubmitting } = useSubmitting('settings');
  return (
    <section aria-labelledby="settings" className="mt-12">
      <h2 id="settings" className="text-2xl">
        {t('admin.cohorts_settings')}
      </h2>
      <SmartForm intent="settings" preventScrollReset className="mt-3 grid max-w-xl gap-3">
        <FieldGroup legend={t('admin.cohorts_enrols')}>
          <Radio
            name="enrolsAtOnce"
            value="no"
            label={t('admin.cohorts_enrols_by_click')}
            hint={t('admin.cohorts_enrols_by_click_hint')}
            defaultChecked={!settings.enrolsAtOnce}
          />
          <Radio
            name="enrolsAtOnce"
            value="yes"
            label={t('admin.cohorts_enrols_at_once')}
            hint={t('admin.cohorts_enrols_at_once_hint')}
            defaultChecked={settings.enrolsAtOnce}
          />
        </FieldGroup>
        <Checkbox
          name="remindsOfDueDates"
          label={t('admin.cohorts_reminds')}
          hint={t('admin.cohorts_reminds_hint')}
          defaultChecked={settings.remindsOfDueDates}
        />
        <div>
          <Button look="secondary" isBusy={isSubmitting}>
            {t('common.save')}
          </Button>
        </div>
      </SmartForm>
    </section>
  );
}
