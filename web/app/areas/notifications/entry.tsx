import {
  AtSign,
  Award,
  CalendarCheck,
  CalendarClock,
  CalendarX,
  ChartColumn,
  ClipboardCheck,
  Flag,
  GraduationCap,
  KeyRound,
  MessageSquareHeart,
  MailOpen,
  MessageCircle,
  MessagesSquare,
  Newspaper,
  Scale,
  UserCheck,
  UserPlus,
  UserSearch,
  Users,
  type LucideIcon,
} from 'lucide-react';
import { Link } from 'react-router';
import type { Notification, NotificationEvent } from '@officium/contract/notifications';
import type { MessageKey } from '../../message-keys.ts';
import { useText } from '../../text.tsx';
import { Avatar } from '../../ui/avatar.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Time } from '../../ui/time.tsx';

const ICONS: Record<NotificationEvent, LucideIcon> = {
  reply: MessageCircle,
  mention: AtSign,
  community_post: MessagesSquare,
  thread_reply: MessageCircle,
  person_post: MessagesSquare,
  new_article: Newspaper,
  connection_request: UserPlus,
  connection_accepted: UserCheck,
  community_invitation: MailOpen,
  community_membership: Users,
  cohort_membership: GraduationCap,
  poll_outcome: ChartColumn,
  certificate: Award,
  due_date: CalendarClock,
  reminder: CalendarClock,
  certificate_expiry: CalendarClock,
  evaluation: MessageSquareHeart,
  event_seat: CalendarCheck,
  event_promoted: CalendarCheck,
  event_changed: CalendarClock,
  event_cancelled: CalendarX,
  event_reminder: CalendarClock,
  moderation: Scale,
  report_outcome: Flag,
  role_change: KeyRound,
  administrator: KeyRound,
  registration_waiting: UserSearch,
  registration_decided: UserCheck,
  join_request: UserPlus,
  report_waiting: Flag,
  appeal_waiting: Scale,
  marking_waiting: ClipboardCheck,
  attempt_marked: ClipboardCheck,
  assignment: GraduationCap,
  enrolment: GraduationCap,
};

const DAY_IN_UTC = { dateStyle: 'medium', timeZone: 'UTC' } as const;

function isOfCohort(due: Notification['due']): due is 'due' | 'late' {
  return due === 'due' || due === 'late';
}

function keyOf({ event, due, title, path }: Notification): MessageKey {
  if ((event === 'assignment' || event === 'enrolment') && due) return `notification.told.${event}_due`;
  if (isOfCohort(due)) return `notification.told.course_${due}`;
  // A role that was taken away, or that holds everywhere, has no title.
  if (event === 'role_change' && !title) return 'notification.told.role_change_other';
  // Only a refusal leads to its reason.
  if (event === 'registration_decided' && path.includes('#')) return 'notification.told.registration_refused';
  // Owners are led to the members.
  if (event === 'community_membership' && path.endsWith('/members')) return 'notification.told.community_owner';
  return `notification.told.${event}`;
}

/** A notification; the whole row links to its subject. */
export function Entry({ notification }: { notification: Notification }) {
  const { t, rich, date } = useText();
  const { id, event, actor, count, title, place, path, dueAt, due, words, createdAt, isRead } = notification;
  const values = {
    actor: actor ? <bdi>{actor.name}</bdi> : t('notification.somebody'),
    others: count - 1,
    count,
    // A due date set by a cohort and a certificate end in UTC, wherever the viewer is.
    date: dueAt ? date(dueAt, isOfCohort(due) || event === 'certificate_expiry' ? DAY_IN_UTC : undefined) : '',
    place: <bdi>{place}</bdi>,
    title: <bdi>{title ?? place ?? t('notification.untitled')}</bdi>,
  };
  return (
    <li className={`relative flex items-start gap-4 px-3 py-4 hover:bg-accent-soft ${isRead ? '' : 'bg-card'}`}>
      {actor ? (
        <Avatar name={actor.name} src={actor.thumbnail} size={44} />
      ) : (
        <span className="flex size-11 shrink-0 items-center justify-center rounded-full bg-sunk text-accent">
          <Icon as={ICONS[event]} />
        </span>
      )}
      <div className="min-w-0 flex-1">
        <Link
          to={`/notifications/${id}?to=${encodeURIComponent(path)}`}
          className={`title-link stretched wrap-anywhere ${isRead ? '' : 'font-semibold'}`}
        >
          {isRead ? null : <span className="sr-only">{t('notification.unread')} </span>}
          {rich(keyOf(notification), values)}
        </Link>
        {words === null ? null : (
          <p className="whitespace-pre-line wrap-anywhere" dir="auto">
            {words}
          </p>
        )}
        <p className="flex flex-wrap gap-x-4 text-sm text-muted">
          {place && title ? <span dir="auto">{place}</span> : null}
          <Time value={createdAt} />
        </p>
      </div>
      {isRead ? null : <span className="mt-2 size-2.5 shrink-0 rounded-full bg-accent" aria-hidden="true" />}
    </li>
  );
}
