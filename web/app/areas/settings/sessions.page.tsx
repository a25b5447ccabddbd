import { deleteSession, listSessions } from '@officium/contract/auth';
import type { ReplyOf } from '@officium/contract/endpoint';
import { act, loadSignedIn } from '../../server/api.ts';
import { textOf } from '../../form/fields.ts';
import { redirectWith } from '../../form/flash.ts';
import { SmartForm, useSubmitting } from '../../form/form-scope.tsx';
import { useText } from '../../text.tsx';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Tag } from '../../ui/tag.tsx';
import { Time } from '../../ui/time.tsx';
import type { Route } from './+types/sessions.page';
import { deviceOf } from '../../ui/device.ts';
import { deviceIcon, deviceName } from './device-name.tsx';
import { Settings } from './settings.tsx';

const HERE = '/me/settings/sessions';

type Session = ReplyOf<typeof listSessions>['sessions'][number];

export async function loader({ request, context }: Route.LoaderArgs) {
  const { api } = await loadSignedIn(request, context);
  const { sessions } = await api(listSessions);
  return { sessions: sessions.toSorted((a, b) => Number(b.current) - Number(a.current)) };
}

export async function action({ request, context }: Route.ActionArgs) {
  const { api, attempt, fields } = await act(request, context);
  const isAll = fields.get('intent') === 'end-others';
  const ids = isAll
    ? (await api(listSessions)).sessions.filter(({ current }) => !current).map(({ id }) => id)
    : [textOf(fields, 'id')];
  for (const id of ids) {
    const ended = await attempt(deleteSession, { params: { id } });
    if (!ended.ok) return ended.refusal;
  }
  return redirectWith(HERE, { key: isAll ? 'account.sessions_ended' : 'account.session_ended' });
}

export default function Sessions({ loaderData }: Route.ComponentProps) {
  const { sessions } = loaderData;
  const { t } = useText();
  const { isSubmitting } = useSubmitting('end-others');
  return (
    <Settings title={t('account.sessions')} intro={t('account.sessions_text')}>
      <ul className="mt-6 divide-y divide-line border-y border-line">
        {sessions.map((session) => (
          <Row key={session.id} session={session} />
        ))}
      </ul>
      {sessions.length > 1 ? (
        <SmartForm intent="end-others" className="mt-6">
          <Button look="danger" isBusy={isSubmitting}>
            {t('account.end_others')}
          </Button>
        </SmartForm>
      ) : null}
    </Settings>
  );
}

function Row({ session: { id, current, userAgent, createdAt, lastSeenAt } }: { session: Session }) {
  const text = useText();
  const { t, rich } = text;
  const { isSubmitting, values } = useSubmitting(`end-${id}`);
  const device = deviceOf(userAgent);
  const name = deviceName(text, device);
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-4">
      <Icon as={deviceIcon(device)} size={28} className="text-muted" />
      <div className="min-w-0 flex-1 basis-48">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1 font-semibold">
          <bdi title={userAgent ?? undefined}>{name}</bdi>
          {current ? <Tag look="accent">{t('account.this_device')}</Tag> : null}
        </p>
        <p className="text-sm text-muted">
          {current ? null : <>{rich('account.last_seen', { time: <Time value={lastSeenAt} /> })} · </>}
          {rich('account.signed_in', { time: <Time value={createdAt} look="date" /> })}
        </p>
      </div>
      {current ? null : (
        <SmartForm intent={`end-${id}`}>
          <input type="hidden" name="id" value={id} />
          <Button
            look="secondary"
            isBusy={isSubmitting && values?.['id'] === id}
            aria-label={t('account.end_session_of', { device: name })}
          >
            {t('account.end_session')}
          </Button>
        </SmartForm>
      )}
    </li>
  );
}
