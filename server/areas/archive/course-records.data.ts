import { defineRecords, type RecordKind } from './record.format.ts';
import { isHttpUrl } from './stored-value.policy.ts';

const journeysRecords = defineRecords({
  file: 'journeys',
  table: 'journeys',
  about: 'The journeys of a course',
  fields: {
    key: 'key',
    course_id: 'courseId',
    entry_id: 'entryId',
    id: 'id',
    slug: 'slug',
    title: 'title',
    description: 'description',
    privacy: 'privacy',
    price: 'price',
    evaluation: 'evaluation',
    certificate_months: 'certificateMonths',
    position: 'position',
    revision: 'revision',
    withdrawn_at: 'withdrawnAt',
  },
  order: ['key'],
});

const sectionsRecords = defineRecords({
  file: 'sections',
  table: 'sections',
  about: 'The sections of a journey',
  fields: {
    key: 'key',
    journey_key: 'journeyKey',
    heading: 'heading',
    position: 'position',
  },
  order: ['key'],
});

const lessonsRecords = defineRecords({
  file: 'lessons',
  table: 'lessons',
  about: 'Lessons, also withdrawn ones',
  fields: {
    key: 'key',
    journey_key: 'journeyKey',
    section_key: 'sectionKey',
    id: 'id',
    slug: 'slug',
    title: 'title',
    minutes: 'minutes',
    mandatory: 'mandatory',
    discussion: 'discussion',
    assessment: 'assessment',
    position: 'position',
    added_in: 'addedIn',
    withdrawn_in: 'withdrawnIn',
    withdrawn_at: 'withdrawnAt',
  },
  order: ['key'],
});

const editorialsRecords = defineRecords({
  file: 'editorials',
  table: 'editorials',
  about: 'Questions, solutions, hubs and events',
  fields: {
    id: 'id',
    kind: 'kind',
    slug: 'slug',
    title: 'title',
    summary: 'summary',
    parts: 'parts',
    cover: 'cover',
    cover_alt: 'coverAlt',
    human_translation: 'humanTranslation',
    position: 'position',
  },
  order: ['id'],
});

const editorialItemsRecords = defineRecords({
  file: 'editorial-items',
  table: 'editorial_items',
  about: 'The items a hub lists',
  fields: {
    editorial_id: 'editorialId',
    position: 'position',
    kind: 'kind',
    key: 'key',
  },
  order: ['editorial_id', 'position'],
});

const eventsRecords = defineRecords({
  file: 'events',
  table: 'events',
  about: 'The schedule of an event',
  fields: {
    id: 'id',
    time_zone: 'timeZone',
    starts: 'starts',
    ends: 'ends',
    recurrence: 'recurrence',
    place: 'place',
    link: 'link',
    recording: 'recording',
    capacity: 'capacity',
    community_id: 'communityId',
    course_id: 'courseId',
  },
  order: ['id'],
  checked: { link: isHttpUrl, recording: isHttpUrl },
});

const eventSessionsRecords = defineRecords({
  file: 'event-sessions',
  table: 'event_sessions',
  about: 'The sessions of an event',
  fields: {
    id: 'id',
    event_id: 'eventId',
    starts_at: 'startsAt',
    ends_at: 'endsAt',
    place: 'place',
    link: 'link',
    recording: 'recording',
    capacity: 'capacity',
    cancelled_at: 'cancelledAt',
    sequence: 'sequence',
    changed_at: 'changedAt',
  },
  order: ['id'],
  checked: { link: isHttpUrl, recording: isHttpUrl },
});

const textsRecords = defineRecords({
  file: 'texts',
  table: 'bodies',
  about: 'The texts of lessons, microcourses and editorials in each language',
  fields: {
    lesson_key: 'lessonKey',
    microcourse_id: 'microcourseId',
    locale: 'language',
    file: 'file',
    source: 'source',
    title: 'title',
    html: 'html',
    headings: 'headings',
    questions: 'questions',
    changed_in: 'changedIn',
    editorial_id: 'editorialId',
  },
  order: ['lesson_key', 'microcourse_id', 'editorial_id', 'locale'],
});

const courseQuestionsRecords = defineRecords({
  file: 'course-questions',
  table: 'course_questions',
  about: 'The question bank of a course in each language, with keys',
  fields: {
    course_id: 'courseId',
    locale: 'language',
    file: 'file',
    source: 'source',
    questions: 'questions',
  },
  order: ['course_id', 'locale'],
});

const courseContactsRecords = defineRecords({
  file: 'course-contacts',
  table: 'course_contacts',
  about: 'The contacts of a course',
  fields: {
    course_id: 'courseId',
    position: 'position',
    name: 'name',
    role: 'role',
    email: 'email',
    profile_id: 'profileId',
  },
  order: ['course_id', 'position'],
});

const formerSlugsRecords = defineRecords({
  file: 'former-slugs',
  table: 'former_slugs',
  about: 'Former addresses, which redirect',
  fields: {
    kind: 'kind',
    parent: 'parent',
    slug: 'slug',
    key: 'key',
    left_at: 'leftAt',
  },
  order: ['kind', 'parent', 'slug'],
});

const platformAssetsRecords = defineRecords({
  file: 'platform-assets',
  table: 'platform_assets',
  about: 'Assets of the content platform',
  fields: {
    id: 'id',
    status: 'status',
    version: 'version',
    fields: 'fields',
    fallbacks: 'fallbacks',
    created_at: 'createdAt',
    updated_at: 'updatedAt',
  },
  order: ['id'],
});

const fetchedEntriesRecords = defineRecords({
  file: 'fetched-entries',
  table: 'fetched_entries',
  about: 'The last version fetched from the content platform',
  fields: {
    entry_id: 'entryId',
    version: 'version',
    fetched_at: 'fetchedAt',
  },
  order: ['entry_id'],
});

const draftsRecords = defineRecords({
  file: 'drafts',
  table: 'content_pieces',
  about: 'The state of a piece of content in the editor, with its draft',
  fields: {
    kind: 'kind',
    key: 'key',
    entry_id: 'entryId',
    parent: 'parent',
    academy_id: 'academyId',
    version: 'version',
    source_locale: 'sourceLocale',
    draft: 'draft',
    is_barred: 'isBarred',
    texts: 'texts',
    user_id: 'personId',
    changed_at: 'changedAt',
  },
  order: ['kind', 'key'],
});

const versionsRecords = defineRecords({
  file: 'versions',
  table: 'content_versions',
  about: 'Earlier versions of a piece of content',
  fields: {
    kind: 'kind',
    key: 'key',
    number: 'number',
    source: 'source',
    doc: 'doc',
    user_id: 'personId',
    made_at: 'madeAt',
  },
  order: ['kind', 'key', 'number'],
});

/** In the order in which they are read back. */
export const COURSE_RECORDS: readonly RecordKind[] = [
  journeysRecords,
  sectionsRecords,
  lessonsRecords,
  editorialsRecords,
  editorialItemsRecords,
  eventsRecords,
  eventSessionsRecords,
  textsRecords,
  courseQuestionsRecords,
  courseContactsRecords,
  formerSlugsRecords,
  platformAssetsRecords,
  fetchedEntriesRecords,
  draftsRecords,
  versionsRecords,
];
