import type { Assessment } from '@officium/contract/assessment';
import type { LocalizedText, Locale } from '@officium/contract/common';
import type { ArticleTag } from '@officium/contract/content';
import type { ENROLMENT_STATUSES, Progress, RevocationReason } from '@officium/contract/learner';
import type { z } from 'zod';
import type { JourneyPrivacy, Scope } from '#server/access/can.ts';
import type { AttemptSummary } from './attempt.rows.ts';

// Rows that the repositories of this area return and its policies and views read.

export type JourneyStatus = (typeof ENROLMENT_STATUSES)[number];

/** The lessons and minutes of a journey, and what a learner has completed of them. */
export type ProgressCounts = {
  mandatory_lessons: number;
  mandatory_minutes: number;
  completed_lessons: number;
  completed_minutes: number;
  optional_lessons: number;
  completed_optional_lessons: number;
};

/** Progress as a completion stores it, with the names of the contract. */
export type ProgressSnapshot = z.output<typeof Progress>;

/** A course with one of its journeys. A course without journeys has one row with a null journey. */
export type CourseAccessRow = {
  course_id: string;
  course_slug: string;
  course_title: LocalizedText;
  type: 'Public' | 'Private';
  human_translation: boolean;
  is_course_withdrawn: boolean;
  can_view: Scope;
  can_join: Scope;
  /** True once an administrator has set the scopes; until then they come from the content. */
  is_course_set: boolean;
  journey_key: string | null;
  journey_id: string;
  journey_slug: string;
  journey_title: LocalizedText;
  privacy: JourneyPrivacy;
  /** Amount and currency, as authors write them. */
  price: string | null;
  is_journey_withdrawn: boolean;
  journey_can_view: Scope | null;
  journey_can_join: Scope | null;
  is_journey_set: boolean;
  is_granted: boolean;
  enrolment_id: string | null;
  status: JourneyStatus;
  expires_on: Date | null;
  completed_at: Date | null;
  lesson_key: string | null;
  lesson_id: string;
  lesson_slug: string;
  is_first_lesson: boolean;
};

/** An enrolment with its journey, course, progress, certificate and changes. */
export type EnrolmentRow = {
  id: string;
  locale: string;
  status: JourneyStatus;
  expires_on: Date | null;
  completed_at: Date | null;
  /** The earliest due day that the learner's cohorts set. */
  due_on: string | null;
  /** The journey or its course is not published any more. */
  is_withdrawn: boolean;
  metadata: { bulkEnrolment?: unknown; cohortIds?: unknown };
  created_at: Date;
  updated_at: Date;
  course_id: string;
  course_slug: string;
  course_title: LocalizedText;
  cover_key: string | null;
  cover_alt: LocalizedText;
  journey_key: string;
  journey_id: string;
  journey_slug: string;
  journey_title: LocalizedText;
  progress: ProgressCounts;
  certificate: CertificateJson | null;
  validity: ValidityJson | null;
  changes: ChangesJson | null;
  evaluation: 'open' | 'answered' | 'skipped' | null;
  next_lesson: { slug: string; title: LocalizedText; minutes: number } | null;
  last_activity_at: Date;
};

/** Changes of a journey since its learner finished it, parsed from JSON, in journey order. */
export type ChangesJson = {
  revision: number;
  added: { slug: string; title: LocalizedText }[];
  changed: { slug: string; title: LocalizedText }[];
  removed: number;
};

/** A certificate as its holder sees it, parsed from JSON. */
export type CertificateJson = { id: string; publicId: string; name: string; issuedAt: string };

/** How long a certificate is valid, and its renewal, parsed from JSON. */
export type ValidityJson = {
  expiresAt: string;
  isExpired: boolean;
  renewal: 'closed' | 'open' | 'begun' | 'finished';
  isRequired: boolean;
};

/** A passed assessment as a certificate states it. `lesson`: its key; `passMark`: in percent. */
export type StatedAssessment = { lesson: string; title: string; passMark: number; passedAt: string };

/** Everything a certificate states. `open_course_slug` is null unless everyone may see the course. */
export type PublicCertificateRow = {
  id: string;
  public_id: string;
  name_on_certificate: string;
  course_title: string;
  journey_title: string;
  open_course_slug: string | null;
  locale: string;
  lessons: number;
  minutes: number;
  issued_at: Date;
  /** The end of its validity; null: none. */
  expires_at: Date | null;
  is_expired: boolean;
  /** The number of the certificate that it renews; null also when that has another name. */
  follows: string | null;
  /** The site when it was issued, for its design; null: the design of the product. */
  siteIdentity: unknown;
  revoked_at: Date | null;
  revocation_reason: RevocationReason | null;
  journey_key: string;
  status_position: number;
  /** The name it was issued under; null for old ones, which show the current name. */
  issuer: string | null;
  /** Null for none, and for certificates from before they stated any. */
  assessments: StatedAssessment[] | null;
};

export type CompletionRow = {
  id: string;
  course_id: string;
  course_slug: string;
  journey_id: string;
  journey_slug: string;
  lesson_id: string;
  lesson_slug: string;
  locale: string;
  /** Null for a completion stored without its progress, which has today's `counts` instead. */
  snapshot: ProgressSnapshot | null;
  counts: ProgressCounts | null;
  completed_at: Date;
};

/** A lesson in its section, parsed from JSON, in journey order. */
export type OutlineRow = {
  sectionKey: string | null;
  heading: LocalizedText;
  slug: string;
  title: LocalizedText;
  minutes: number;
  mandatory: boolean;
  completedAt: string | null;
};

/** The part of a journey that its pages show, parsed from JSON. */
export type JourneyPart = {
  outline: OutlineRow[];
  certificate: CertificateJson | null;
  validity: ValidityJson | null;
};

type ContactJson = { name: string; role: LocalizedText; email: string | null; profileId: string | null };

export type CoursePageRow = {
  topics: ArticleTag[];
  contacts: ContactJson[];
  summary: LocalizedText;
  cover_key: string | null;
  cover_alt: LocalizedText;
  academies: { id: string; slug: string; title: LocalizedText }[];
  locales: Locale[];
  journeys: Record<string, JourneyPart>;
  changes: Record<string, ChangesJson | null>;
};

export type LessonHeading = { level: number; id: string; text: string };
export type LessonPageRow = JourneyPart & {
  id: string;
  slug: string;
  title: LocalizedText;
  minutes: number;
  mandatory: boolean;
  discussion: LocalizedText;
  html: string | null;
  /** Keys of the pictures and media of its course. */
  asset_keys: string[];
  headings: LessonHeading[] | null;
  shown_locale: Locale | null;
  locales: Locale[];
  assessment: Assessment | null;
  /** Questions of the assessment. */
  questions: number;
  attempts: AttemptSummary | null;
  activity_id: string | null;
};
