import { HttpUrl } from '@officium/contract/common';
import { isTimeZone } from '@officium/contract/notifications';
import type { ContentfulJson } from './contentful-export.format.ts';
import { recurrenceFault, type Schedule, scheduleFault } from './event-schedule.policy.ts';

/** Names that content models give the fields, whatever their case and spacing. */
export const EVENT_FIELDS = {
  starts: ['startsAt', 'startDate', 'startTime', 'start', 'eventDate', 'date', 'dateTime'],
  ends: ['endsAt', 'endDate', 'endTime', 'end'],
  timeZone: ['timeZone', 'timezone', 'zone'],
  place: ['location', 'venue', 'place', 'address'],
  link: ['link', 'joinLink', 'joiningLink', 'meetingLink', 'meetingUrl', 'url', 'webinarLink'],
  capacity: ['capacity', 'seats', 'places', 'maxAttendees'],
  recurrence: ['recurrence', 'rrule', 'recurrenceRule'],
  recording: ['recording', 'recordingUrl', 'recordingLink', 'video', 'videoUrl'],
} as const;
type Field = keyof typeof EVENT_FIELDS;

const HOUR_MS = 3_600_000;
/** As the content platform writes dates: with or without a time, an offset. */
const DATE = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d)(?::\d\d(?:\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?$/;

/** The time of day that a moment has in a zone. */
function localTime(moment: Date, timeZone: string): string {
  const written = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' }).format(moment);
  return written.replace(' ', 'T');
}

/** A date of the platform as a local time; a date without a time is the start of its day. */
function toLocal(value: ContentfulJson | undefined, timeZone: string): string | null {
  const [, day, clock = '00:00', offset] = (typeof value === 'string' && DATE.exec(value.trim())) || [];
  if (day === undefined) return null;
  if (offset === undefined) return `${day}T${clock}`;
  const moment = new Date(`${day}T${clock}${offset}`);
  return Number.isNaN(moment.getTime()) ? null : localTime(moment, timeZone);
}

/**
 * The schedule of an entry. `valueOf` reads one of its fields; `warn` names what cannot be taken. Undefined when it has no
 * date.
 */
export function toSchedule(
  valueOf: (names: readonly string[]) => ContentfulJson | undefined,
  warn: (field: string, message: string) => void,
): Schedule | undefined {
  const value = (field: Field) => valueOf(EVENT_FIELDS[field]);
  const text = (field: Field): string | null => {
    const given = value(field);
    if (given === undefined || given === null || given === '') return null;
    if (typeof given === 'string') return given.trim() || null;
    warn(field, 'Is no text: left out');
    return null;
  };
  const address = (field: 'link' | 'recording'): string | null => {
    const given = text(field);
    if (given === null || HttpUrl.safeParse(given).success) return given;
    warn(field, 'Is no web address: left out');
    return null;
  };
  const zone = text('timeZone');
  const isZone = zone !== null && isTimeZone(zone);
  if (zone !== null && !isZone) warn('timeZone', 'Is no time zone: UTC is used');
  const timeZone = isZone ? zone : 'UTC';
  const starts = toLocal(value('starts'), timeZone);
  if (starts === null) return undefined;
  const ends = toLocal(value('ends'), timeZone) ?? afterAnHour(starts, warn);
  const schedule: Schedule = {
    starts,
    ends,
    timeZone,
    recurrence: text('recurrence')?.replace(/^RRULE:/i, '') ?? null,
    place: text('place')?.slice(0, 300) ?? null,
    link: address('link'),
    capacity: capacityOf(value('capacity'), warn),
    recording: address('recording'),
    community: null,
    course: null,
  };
  return withoutFaults(schedule, warn);
}

function afterAnHour(starts: string, warn: (field: string, message: string) => void): string {
  warn('ends', 'Has no end: one hour is used');
  return new Date(Date.parse(`${starts}Z`) + HOUR_MS).toISOString().slice(0, 16);
}

function capacityOf(value: ContentfulJson | undefined, warn: (field: string, message: string) => void): number | null {
  if (value === undefined || value === null) return null;
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= 100_000) return value;
  warn('capacity', 'Is no number of seats: left out');
  return null;
}

/** A rule that cannot be used leaves the first date; an end before the start becomes an hour. */
function withoutFaults(schedule: Schedule, warn: (field: string, message: string) => void): Schedule {
  const { recurrence, starts } = schedule;
  const fault = recurrence === null ? undefined : recurrenceFault(schedule, recurrence);
  if (fault) warn('recurrence', `${fault.message}: only the first date is taken`);
  const kept = fault ? { ...schedule, recurrence: null } : schedule;
  return scheduleFault(kept)?.field === 'ends' && starts !== null ? { ...kept, ends: afterAnHour(starts, warn) } : kept;
}
