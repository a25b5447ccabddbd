import type { LocalizedText, Locale } from '@officium/contract/common';
import type { Scope } from '#server/access/can.ts';

export type EventRow = {
  id: string;
  slug: string;
  title: LocalizedText;
  summary: LocalizedText;
  cover_key: string | null;
  cover_alt: LocalizedText;
  human_translation: boolean;
  can_view: Scope;
  can_join: Scope;
  is_granted: boolean;
  locales: Locale[];
  community: { slug: string; title: LocalizedText } | null;
  course: { slug: string; title: LocalizedText } | null;
};

export type EventSessionRow = {
  id: string;
  event_id: string;
  starts_at: Date;
  ends_at: Date;
  time_zone: string;
  place: string | null;
  link: string | null;
  recording: string | null;
  capacity: number | null;
  is_cancelled: boolean;
  is_over: boolean;
  sequence: number;
  changed_at: Date;
  taken: number;
  waiting: number;
  /** The viewer's own registration. */
  status: 'seat' | 'waiting' | null;
  waiting_place: number | null;
};
