import { Link } from 'react-router';
import {
  endPersonSession,
  endPersonSessions,
  listPersonSessions,
  readPerson,
  resetSecondFactor,
} from '@officium/contract/admin-people';
import { listPersonRoles, takeRole } from '@officium/contract/roles';
import { explainApproval } from '@officium/contract/approval-review';
import { setBadges, writeRegistration } from '@officium/contract/people';
import { act, type Api, type Attempt } from '../../server/api.ts';
import { textOf } from '../../form/fields.ts';
import { redirectWith } from '../../form/flash.ts';
import { redirect } from '../../server/redirect.ts';
import { useText } from '../../text.tsx';
import { LinkButton } from '../../ui/button.tsx';
import type { Route } from './+types/people-one.page';
import { Admin } from '../../admin/admin.tsx';
import { BADGE_NAMES, withBadges } from './badge-names.ts';
import { loadAdmin } from '../../admin/load.ts';
import { BadgesForm, FactorForm, RegistrationForm, RoleForm, SessionsList } from './person-forms.tsx';
import { PersonApproval } from './person-approval.tsx';
import { PersonFacts } from './person-facts.tsx';
import { giveRole } from './person-role.act.ts';
import { assign, searchPlaces } from './person-role-search.ts';
import { changeLearning, isOfLearning } from './person-learning.act.ts';
import { loadLearning } from './person-learning.load.ts';
import { PersonLearning } from './person-learning.tsx';
import { PersonRoles } from './person-roles.tsx';
import { ROLES } from './people-search.ts';

export async function loader({ request, context, params }: Route.LoaderArgs) {
  const { api, viewer, url, locale } = await loadAdmin(request, context);
  const at = { params: { id: params.id } };
  const [person, { sessions }, { assignments }, search] = await Promise.all([
    api(readPerson, at),
    api(listPersonSessions, at),
    api(listPersonRoles, { ...at, query: { locale } }),
    searchPlaces(api, url, locale),
  ]);
  const isOpen = person.registration !== null && person.registration.status !== 'approved';
  const approval = isOpen ? await api(explainApproval, at) : null;
  const learning = await loadLearning(api, { id: person.id, email: person.email, locale });
  return {
    person,
    learning,
    sessions,
    assignments,
    search,
    approval,
    isOwn: person.id === viewer.id,
    roles: ROLES,
    badgeNames: BADGE_NAMES,
  };
}

type Acting = { api: Api; attempt: Attempt; fields: FormData; id: string };

async function decide({ api, attempt, fields, id }: Acting) {
  const { email } = await api(readPerson, { params: { id } });
  const status = fields.get('status') === 'approved' ? 'approved' : 'refused';
  return await attempt(writeRegistration, { body: { email, status, reason: textOf(fields, 'reason') || null } });
}

async function giveBadges({ api, attempt, fields, id }: Acting) {
  const { badges } = await api(readPerson, { params: { id } });
  return await attempt(setBadges, {
    params: { id },
    body: { badges: withBadges(badges, fields.getAll('badge').map(String)) },
  });
}

async function carryOut(intent: string, acting: Acting) {
  const { attempt, fields, id } = acting;
  if (intent.startsWith('end-'))
    return await attempt(endPersonSession, { params: { id, sessionId: textOf(fields, 'id') } });
  if (intent.startsWith('take-'))
    return await attempt(takeRole, { params: { id, assignmentId: textOf(fields, 'id') } });
  switch (intent) {
    case 'end':
      return await attempt(endPersonSessions, { params: { id } });
    case 'reset':
      return await attempt(resetSecondFactor, { params: { id } });
    case 'role':
      return await giveRole(
        acting,
        ROLES.find((one) => one === fields.get('role')),
      );
    case 'give-role':
      return await assign(attempt, fields, id);
    case 'registration':
      return await decide(acting);
    default:
      return await giveBadges(acting);
  }
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const acting = await act(request, context);
  const { id } = params;
  const intent = textOf(acting.fields, 'intent');
  if (intent === 'role' && acting.fields.get('role') === 'administrator')
    return redirect(`/admin/people/${id}/administrator`);
  const done = isOfLearning(intent) ? await changeLearning(acting, id) : await carryOut(intent, { ...acting, id });
  return done.ok ? redirectWith(`/admin/people/${id}`, { key: 'common.saved' }) : done.refusal;
}

export default function Person({ loaderData }: Route.ComponentProps) {
  const { person, learning, sessions, assignments, search, approval, isOwn, roles, badgeNames } = loaderData;
  const { t } = useText();
  return (
    <Admin
      title={person.name}
      crumb={
        <Link to="/admin/people" className="link inline-flex min-h-11 items-center">
          {t('admin.people')}
        </Link>
      }
      actions={
        <>
          <LinkButton to={`/people/${person.id}`} look="secondary">
            {t('admin.people_profile')}
          </LinkButton>
          <LinkButton to={`/admin/people/${person.id}/transcript`} look="secondary">
            {t('transcript.title')}
          </LinkButton>
          <LinkButton to={`/admin/people/${person.id}/payments`} look="secondary">
            {t('payment.list')}
          </LinkButton>
        </>
      }
    >
      <PersonFacts person={person} />
      <PersonLearning learning={learning} />
      {isOwn ? <p className="mt-8 text-muted">{t('errors.people.own_rights')}</p> : null}
      {approval ? <PersonApproval email={person.email} explained={approval} /> : null}
      {person.registration && !isOwn ? <RegistrationForm registration={person.registration} /> : null}
      {isOwn ? null : <RoleForm role={person.role} roles={roles} />}
      {isOwn ? null : <BadgesForm badges={person.badges} names={badgeNames} />}
      <PersonRoles assignments={assignments} search={search} isOwn={isOwn} />
      <SessionsList sessions={sessions} />
      <FactorForm factors={person.factors} canReset={person.secondFactor && !isOwn} />
      {isOwn ? null : (
        <p className="mt-10 border-t border-line pt-8">
          <LinkButton to={`/admin/people/${person.id}/erase`} look="danger">
            {t('admin.people_erase')}…
          </LinkButton>
        </p>
      )}
    </Admin>
  );
}
