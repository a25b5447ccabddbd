import { readProfile, setVisibility, VISIBILITIES } from '@officium/contract/account';
import { listDataExports, requestDataExport } from '@officium/contract/personal-data';
import { act, loadSignedIn } from '../../server/api.ts';
import { redirectWith } from '../../form/flash.ts';
import { SmartForm, useSubmitting } from '../../form/form-scope.tsx';
import { useText } from '../../text.tsx';
import { Button } from '../../ui/button.tsx';
import { FieldGroup, Radio } from '../../ui/field.tsx';
import { Part } from '../../ui/part.tsx';
import type { Route } from './+types/privacy.page';
import { ExportList } from '../../ui/export-list.tsx';
import { Settings } from './settings.tsx';

const HERE = '/me/settings/privacy';

export async function loader({ request, context }: Route.LoaderArgs) {
  const { api, viewer } = await loadSignedIn(request, context);
  const [profile, { exports }] = await Promise.all([
    // An inactive account has no visible profile, but can still export its data.
    viewer.role === 'inactive' ? null : api(readProfile, { params: { id: 'me' } }),
    api(listDataExports),
  ]);
  return { visibility: profile?.visibility, visibilities: VISIBILITIES, exports };
}

export async function action({ request, context }: Route.ActionArgs) {
  const { attempt, fields } = await act(request, context);
  if (fields.get('intent') === 'export') {
    const asked = await attempt(requestDataExport);
    return asked.ok ? redirectWith(HERE, { key: 'account.export_asked' }) : asked.refusal;
  }
  const visibility = VISIBILITIES.find((one) => one === fields.get('visibility')) ?? 'default';
  const saved = await attempt(setVisibility, { body: { visibility } });
  return saved.ok ? redirectWith(HERE, { key: 'common.saved' }) : saved.refusal;
}

export default function Privacy({ loaderData }: Route.ComponentProps) {
  const { visibility, visibilities, exports } = loaderData;
  const { t } = useText();
  const saving = useSubmitting('visibility');
  const asking = useSubmitting('export');
  const isMaking = exports.some(({ status }) => status === 'pending');
  return (
    <Settings title={t('account.privacy')}>
      {visibility ? (
        <Part id="visibility" title={t('people.visibility')}>
          <SmartForm intent="visibility">
            <FieldGroup name="visibility" legend={t('people.visibility_question')}>
              {visibilities.map((one) => (
                <Radio
                  key={one}
                  name="visibility"
                  value={one}
                  defaultChecked={visibility === one}
                  label={t(`people.visibility_${one}`)}
                  hint={t(`people.visibility_${one}_hint`)}
                />
              ))}
            </FieldGroup>
            <Button className="mt-4" look="secondary" isBusy={saving.isSubmitting}>
              {t('common.save')}
            </Button>
          </SmartForm>
        </Part>
      ) : null}
      <Part id="export" title={t('account.export')} intro={t('account.export_text')}>
        <p className="max-w-prose text-muted">{t('account.export_holds')}</p>
        <ExportList exports={exports} page={HERE} fileOf={(id) => `${HERE}/exports/${id}`} />
        {isMaking ? null : (
          <SmartForm intent="export" className="mt-4">
            <Button look="secondary" isBusy={asking.isSubmitting}>
              {t('account.export_ask')}
            </Button>
          </SmartForm>
        )}
      </Part>
    </Settings>
  );
}
