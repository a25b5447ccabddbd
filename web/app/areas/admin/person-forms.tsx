import type { listPersonSessions, readPerson } from '@officium/contract/admin-people';
import type { ReplyOf } from '@officium/contract/endpoint';
import { DraftKeeper } from '../../editor/draft-keeper.tsx';
import { SmartForm, useSubmitting } from '../../form/form-scope.tsx';
import { useText } from '../../text.tsx';
import { Button } from '../../ui/button.tsx';
import { Checkbox, FieldGroup, Radio, Select, TextArea } from '../../ui/field.tsx';
import { Time } from '../../ui/time.tsx';
import { deviceOf } from '../../ui/device.ts';
import { RemoveForm } from '../../ui/remove-form.tsx';
import { Part } from '../../ui/part.tsx';
import { platformBadges } from './badge-names.ts';
import { keyOf } from './person-state.tsx';

type Person = ReplyOf<typeof readPerson>;
type Session = ReplyOf<typeof listPersonSessions>['sessions'][number];

export function RegistrationForm({ registration }: { registration: NonNullable<Person['registration']> }) {
  const { t } = useText();
  const { isSubmitting } = useSubmitting('registration');
  const { status, reason } = registration;
  return (
    <Part id="registration" title={t('admin.people_registration')} intro={t('admin.people_registration_text')}>
      <SmartForm intent="registration" className="grid max-w-prose gap-5">
        <DraftKeeper />
        <FieldGroup name="status" legend={t('admin.people_decision')}>
          <Radio
            name="status"
            value="approved"
            defaultChecked={status !== 'refused'}
            label={t('admin.people_approve')}
          />
          <Radio name="status" value="refused" defaultChecked={status === 'refused'} label={t('admin.people_refuse')} />
        </FieldGroup>
        <TextArea
          name="reason"
          label={t('admin.people_reason')}
          hint={t('admin.people_reason_hint')}
          defaultValue={reason ?? ''}
          maxLength={1000}
          rows={2}
        />
        <div>
          <Button isBusy={isSubmitting}>{t('admin.people_decide')}</Button>
        </div>
      </SmartForm>
    </Part>
  );
}

export function RoleForm({ role, roles }: { role: Person['role']; roles: readonly Person['role'][] }) {
  const { t } = useText();
  const { isSubmitting } = useSubmitting('role');
  return (
    <Part id="role" title={t('admin.people_role')} intro={t('admin.people_role_text')}>
      <SmartForm intent="role" className="flex flex-wrap items-end gap-4">
        <Select
          name="role"
          label={t('admin.people_role')}
          defaultValue={role}
          options={roles.map((value) => ({ value, label: t(`admin.people_role_${keyOf(value)}`) }))}
          required
        />
        <Button look="secondary" isBusy={isSubmitting}>
          {t('admin.people_role_give')}
        </Button>
      </SmartForm>
    </Part>
  );
}

export function BadgesForm({ badges, names }: { badges: Person['badges']; names: readonly string[] }) {
  const { t, maybe } = useText();
  const { isSubmitting } = useSubmitting('badges');
  const given = platformBadges(badges);
  return (
    <Part id="badges" title={t('people.badges')}>
      <SmartForm intent="badges">
        <FieldGroup legend={t('admin.people_badges_which')}>
          <div className="grid gap-x-6 sm:grid-cols-2">
            {names.map((name) => (
              <Checkbox
                key={name}
                name="badge"
                value={name}
                defaultChecked={given.includes(name)}
                label={maybe(`people.badge_${name.replaceAll('-', '_')}`) ?? name}
              />
            ))}
          </div>
        </FieldGroup>
        <Button className="mt-4" look="secondary" isBusy={isSubmitting}>
          {t('common.save')}
        </Button>
      </SmartForm>
    </Part>
  );
}

export function SessionsList({ sessions }: { sessions: readonly Session[] }) {
  const { t } = useText();
  const { isSubmitting } = useSubmitting('end');
  return (
    <Part id="sessions" title={t('account.sessions')}>
      {sessions.length === 0 ? <p className="text-muted">{t('admin.people_nowhere')}</p> : null}
      <ul className="divide-y divide-line border-y border-line empty:hidden">
        {sessions.map((session) => (
          <SessionRow key={session.id} session={session} />
        ))}
      </ul>
      {sessions.length > 1 ? (
        <SmartForm intent="end" className="mt-4">
          <Button look="danger" isBusy={isSubmitting}>
            {t('admin.people_end_all')}
          </Button>
        </SmartForm>
      ) : null}
    </Part>
  );
}

function SessionRow({ session: { id, userAgent, lastSeenAt } }: { session: Session }) {
  const { t, rich } = useText();
  const { browser, system } = deviceOf(userAgent);
  const device =
    browser && system ? t('account.device', { browser, system }) : (browser ?? system ?? t('account.device_unknown'));
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3">
      <div className="min-w-0">
        <p className="font-semibold">
          <bdi>{device}</bdi>
        </p>
        <p className="text-sm text-muted">{rich('account.last_seen', { time: <Time value={lastSeenAt} /> })}</p>
      </div>
      <SmartForm intent={`end-${id}`}>
        <input type="hidden" name="id" value={id} />
        <Button look="secondary" aria-label={t('account.end_session_of', { device })}>
          {t('account.end_session')}
        </Button>
      </SmartForm>
    </li>
  );
}

export function FactorForm({ factors, canReset }: { factors: Person['factors']; canReset: boolean }) {
  const { t } = useText();
  const { totp, passkeys, recoveryCodes } = factors;
  const hasAny = totp || passkeys > 0;
  return (
    <Part id="factor" title={t('account.security')}>
      {hasAny ? (
        <ul className="list-disc ps-6">
          {totp ? <li>{t('account.app')}</li> : null}
          {passkeys > 0 ? <li>{t('admin.people_passkeys', { count: passkeys })}</li> : null}
          <li>{t('account.codes_left', { count: recoveryCodes })}</li>
        </ul>
      ) : (
        <p className="text-muted">{t('admin.people_no_factor')}</p>
      )}
      {canReset ? (
        <RemoveForm intent="reset" label={t('admin.people_reset')} text={t('admin.people_reset_text')} />
      ) : null}
    </Part>
  );
}
