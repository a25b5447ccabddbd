import { createSiteNotice } from '@officium/contract/site-notices';
import { loadAdmin } from '../../admin/load.ts';
import { redirectWith } from '../../form/flash.ts';
import { SmartForm, useSubmitting } from '../../form/form-scope.tsx';
import { act, timeZoneOf } from '../../server/api.ts';
import { pageContext } from '../../server/page-context.ts';
import { useLanguages } from '../../site.ts';
import { useText } from '../../text.tsx';
import { Button } from '../../ui/button.tsx';
import type { Route } from './+types/notice-new.page';
import { NoticeFields } from './notice-fields.tsx';
import { noticeOf } from './notice-form.ts';
import { SiteFrame } from './site-frame.tsx';

export async function loader({ request, context }: Route.LoaderArgs) {
  await loadAdmin(request, context);
  return { now: new Date().toISOString() };
}

export async function action({ request, context }: Route.ActionArgs) {
  const { attempt, fields } = await act(request, context);
  const { languages } = context.get(pageContext).site;
  const made = await attempt(createSiteNotice, { body: noticeOf(fields, undefined, timeZoneOf(context), languages) });
  return made.ok ? redirectWith('/admin/site/notices', { key: 'common.saved' }) : made.refusal;
}

export default function NewNotice({ loaderData: { now } }: Route.ComponentProps) {
  const { t } = useText();
  const languages = useLanguages();
  const { isSubmitting } = useSubmitting();
  return (
    <SiteFrame>
      <h2 className="mb-4 text-2xl">{t('admin.notice_new')}</h2>
      <SmartForm className="grid max-w-2xl gap-6">
        <NoticeFields languages={languages} now={now} />
        <div>
          <Button isBusy={isSubmitting}>{t('common.save')}</Button>
        </div>
      </SmartForm>
    </SiteFrame>
  );
}
