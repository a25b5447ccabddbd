import { data } from 'react-router';
import { deleteSiteNotice, listSiteNotices, updateSiteNotice } from '@officium/contract/site-notices';
import { loadAdmin } from '../../admin/load.ts';
import { textOf } from '../../form/fields.ts';
import { redirectWith } from '../../form/flash.ts';
import { SmartForm, useSubmitting } from '../../form/form-scope.tsx';
import { act, timeZoneOf } from '../../server/api.ts';
import { pageContext } from '../../server/page-context.ts';
import { useLanguages } from '../../site.ts';
import { useText } from '../../text.tsx';
import { Button } from '../../ui/button.tsx';
import type { Route } from './+types/notice.page';
import { NoticeFields } from './notice-fields.tsx';
import { noticeOf, type SiteNotice } from './notice-form.ts';
import { SiteFrame } from './site-frame.tsx';

function oneOf(notices: SiteNotice[], id: string): SiteNotice {
  const notice = notices.find((one) => one.id === id);
  if (!notice) throw data(null, { status: 404 });
  return notice;
}

export async function loader({ request, context, params }: Route.LoaderArgs) {
  const { api } = await loadAdmin(request, context);
  return { notice: oneOf((await api(listSiteNotices)).notices, params.id) };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const { api, attempt, fields } = await act(request, context);
  const back = '/admin/site/notices';
  if (fields.get('intent') === 'delete') {
    const gone = await attempt(deleteSiteNotice, { params });
    return gone.ok ? redirectWith(back, { key: 'admin.notice_deleted' }) : gone.refusal;
  }
  const stored = oneOf((await api(listSiteNotices)).notices, params.id);
  const { languages } = context.get(pageContext).site;
  const body = {
    ...noticeOf(fields, stored, timeZoneOf(context), languages),
    version: Number(textOf(fields, 'version')),
  };
  const saved = await attempt(updateSiteNotice, { params, body });
  return saved.ok ? redirectWith(back, { key: 'common.saved' }) : saved.refusal;
}

export default function EditNotice({ loaderData: { notice } }: Route.ComponentProps) {
  const { t } = useText();
  const languages = useLanguages();
  const { isSubmitting } = useSubmitting();
  return (
    <SiteFrame>
      <h2 className="mb-4 text-2xl">{t(`admin.notice_state_${notice.state}`)}</h2>
      <SmartForm key={notice.version} intent="save" className="grid max-w-2xl gap-6">
        <input type="hidden" name="version" value={notice.version} />
        <NoticeFields notice={notice} languages={languages} now={notice.startsAt} />
        <div>
          <Button isBusy={isSubmitting}>{t('common.save')}</Button>
        </div>
      </SmartForm>
      <SmartForm intent="delete" className="mt-8 max-w-2xl border-t border-line pt-6">
        <Button look="danger" isBusy={isSubmitting}>
          {t('admin.notice_delete')}
        </Button>
      </SmartForm>
    </SiteFrame>
  );
}
