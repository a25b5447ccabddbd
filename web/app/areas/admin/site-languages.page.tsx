import { readSiteSettings, updateSiteSettings } from '@officium/contract/site-settings';
import { loadAdmin } from '../../admin/load.ts';
import { textOf } from '../../form/fields.ts';
import { redirectWith } from '../../form/flash.ts';
import { SmartForm, useSubmitting } from '../../form/form-scope.tsx';
import { act } from '../../server/api.ts';
import { useText } from '../../text.tsx';
import { Button } from '../../ui/button.tsx';
import type { Route } from './+types/site-languages.page';
import { LanguageFields } from './language-fields.tsx';
import { languagesOf } from './language-form.ts';
import { SiteFrame } from './site-frame.tsx';

export async function loader({ request, context }: Route.LoaderArgs) {
  const { api } = await loadAdmin(request, context);
  return { settings: await api(readSiteSettings) };
}

export async function action({ request, context }: Route.ActionArgs) {
  const { api, attempt, fields } = await act(request, context);
  const { identity } = await api(readSiteSettings);
  const body = { version: Number(textOf(fields, 'version')), identity: { ...identity, ...languagesOf(fields) } };
  const saved = await attempt(updateSiteSettings, { body });
  return saved.ok ? redirectWith('/admin/site/languages', { key: 'common.saved' }) : saved.refusal;
}

export default function SiteLanguagesPage({ loaderData: { settings } }: Route.ComponentProps) {
  const { t } = useText();
  const { isSubmitting } = useSubmitting();
  return (
    <SiteFrame>
      <SmartForm key={settings.version} className="grid max-w-2xl gap-6">
        <input type="hidden" name="version" value={settings.version} />
        <LanguageFields settings={settings} />
        <div>
          <Button isBusy={isSubmitting}>{t('common.save')}</Button>
        </div>
      </SmartForm>
    </SiteFrame>
  );
}
