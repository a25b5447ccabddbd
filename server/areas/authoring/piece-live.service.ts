import { type Db, newId } from '#server/db/client.ts';
import type { RenderedItem } from '#server/areas/importing/folder-bodies.view.ts';
import * as store from '#server/areas/importing/import.repository.ts';
import * as journeyStore from '#server/areas/importing/import-journey.repository.ts';
import * as entryStore from '#server/areas/importing/import-entry.repository.ts';
import type { Texts } from '#server/areas/importing/import.repository.ts';
import { makeOwners } from '#server/areas/importing/owner.service.ts';
import { putEditorial } from './editorial-live.service.ts';
import { type ContactRow, putContacts } from '#server/areas/importing/contact.repository.ts';
import { putCourseQuestions, toCourseQuestions } from '#server/areas/importing/course-questions.repository.ts';
import { ENTRY_TYPES, type PieceKey, type StoredDoc, usedImages } from './piece.policy.ts';
import * as pieces from './piece.repository.ts';
import * as entryRows from './piece-entry.repository.ts';
import * as orderStore from './piece-order.repository.ts';

/** A piece that is being published. */
export type GoingLive = PieceKey & {
  entryId: string;
  parent: string | null;
  /** Position of its catalogue row; null for a new piece. */
  position: number | null;
  ownId: string | null;
  doc: StoredDoc;
  rendered: RenderedItem;
  userId: string;
};

type Of<Kind extends StoredDoc['kind']> = Extract<StoredDoc, { kind: Kind }>;

/** Writes the catalogue rows of a piece with the same statements as an import. */
export async function writeLive(db: Db, piece: GoingLive): Promise<void> {
  const { doc } = piece;
  const position = piece.position ?? (await orderStore.nextPosition(db, piece.kind, piece.parent));
  if (piece.kind !== 'lesson') await showEntry(db, piece);
  await putPictures(db, piece);
  switch (doc.kind) {
    case 'academy':
      return await putAcademy(db, piece, doc, position);
    case 'course':
      await store.putCourses(db, [
        {
          id: piece.key,
          slug: doc.slug,
          type: doc.type,
          title: doc.title as Texts, // absent languages are absent keys
          summary: doc.summary as Texts, // likewise
          ...coverOf(piece, doc),
          topics: doc.topics,
          human_translation: doc.humanTranslation,
          position,
        },
      ]);
      await putContacts(db, [piece.key], contactsOf(piece.key, doc));
      await putCourseQuestions(db, [piece.key], toCourseQuestions(piece.key, piece.rendered.bodies));
      await pieces.updatePrivacy(db, 'course', piece.key, doc.type);
      return;
    case 'microcourse':
      return await putMicrocourse(db, piece, doc, position);
    case 'community':
      return await putCommunity(db, piece, doc, position);
    case 'journey':
      return await putJourney(db, piece, doc, position);
    case 'lesson':
      return await putLesson(db, piece, doc, position);
    case 'question':
    case 'solution':
    case 'hub':
    case 'carousel':
    case 'picture':
    case 'event': {
      const { cover, cover_alt } = 'cover' in doc ? coverOf(piece, doc) : { cover: null, cover_alt: {} };
      return await putEditorial(db, doc, { ...piece, position, cover, coverAlt: cover_alt });
    }
  }
}

async function showEntry(db: Db, { kind, entryId, doc }: GoingLive): Promise<void> {
  if (kind === 'lesson') return;
  const fields = {
    title: doc.title,
    ...('summary' in doc ? { summary: doc.summary } : {}),
    ...('description' in doc ? { description: doc.description } : {}),
  };
  await entryRows.showEntry(db, { id: entryId, contentType: ENTRY_TYPES[kind], slug: doc.slug, fields });
}

async function putPictures(db: Db, { entryId, doc }: GoingLive): Promise<void> {
  await entryStore.putAssets(
    db,
    usedImages(doc, doc.images).map(({ path, ...image }) => ({
      path: `${entryId}/${path}`,
      entry_id: entryId,
      ...image,
    })),
  );
}

type Covered = 'course' | 'academy' | 'microcourse' | 'community' | 'solution' | 'hub' | 'picture' | 'event';

function coverOf({ entryId }: GoingLive, doc: Of<Covered>) {
  const isThere = doc.images.some((image) => image.path === doc.cover);
  return {
    cover: doc.cover !== null && isThere ? `${entryId}/${doc.cover}` : null,
    cover_alt: doc.coverAlt as Texts, // absent languages are absent keys
  };
}

function contactsOf(courseId: string, { contacts }: Of<'course'>): ContactRow[] {
  return contacts.map(({ name, role, email, profile }, position) => ({
    course_id: courseId,
    position,
    name,
    role: role as Texts, // absent languages are absent keys
    email,
    profile_id: profile,
  }));
}

async function putAcademy(db: Db, piece: GoingLive, doc: Of<'academy'>, position: number): Promise<void> {
  const { slug, title, description, topics } = doc;
  const texts = { title: title as Texts, description: description as Texts }; // absent languages are absent keys
  await store.putAcademies(db, [{ id: piece.key, slug, ...texts, ...coverOf(piece, doc), topics, position }]);
  const there = await entryStore.findEntryTypes(db, doc.courses);
  const links = [...new Set(doc.courses)]
    .filter((id) => there.get(id) === ENTRY_TYPES.course)
    .map((course_id, at) => ({ academy_id: piece.key, course_id, position: at }));
  await store.putAcademyCourses(db, [piece.key], links);
}

async function putMicrocourse(db: Db, piece: GoingLive, doc: Of<'microcourse'>, position: number): Promise<void> {
  const { slug, minutes, topics } = doc;
  const texts = { title: doc.title as Texts, summary: doc.summary as Texts }; // absent languages are absent keys
  const human_translation = doc.humanTranslation;
  await store.putMicrocourses(db, [
    { id: piece.key, slug, ...texts, minutes, ...coverOf(piece, doc), topics, human_translation, position },
  ]);
  const bodies = piece.rendered.bodies.map((body) => ({ lesson_key: null, microcourse_id: piece.key, ...body }));
  await store.putBodies(db, 'microcourse_id', [piece.key], bodies);
}

async function putCommunity(db: Db, piece: GoingLive, doc: Of<'community'>, position: number): Promise<void> {
  const { slug, privacy, locale, categories } = doc;
  const texts = { title: doc.title as Texts, description: doc.description as Texts }; // absent languages are absent keys
  const id = piece.ownId ?? newId();
  await store.putCommunities(db, [
    { id, entry_id: piece.key, slug, ...texts, privacy, locale, categories, ...coverOf(piece, doc), position },
  ]);
  await pieces.updatePrivacy(db, 'community', piece.key, privacy);
  // A new community needs an owner; initially it is the user who publishes it.
  if (piece.ownId === null) await makeOwners(db, [{ communityId: id, userId: piece.userId }]);
}

async function putJourney(db: Db, piece: GoingLive, doc: Of<'journey'>, position: number): Promise<void> {
  const { key, entryId, parent } = piece;
  const { slug, privacy, price, evaluation, certificateMonths, sections } = doc;
  const texts = { title: doc.title as Texts, description: doc.description as Texts }; // absent languages are absent keys
  const row = {
    key,
    course_id: parent ?? '',
    entry_id: entryId,
    id: piece.ownId ?? key,
    slug,
    ...texts,
    privacy,
    price,
    evaluation,
    certificate_months: certificateMonths,
  };
  await journeyStore.putJourneys(db, [{ ...row, position, withdrawn_at: null }]);
  await pieces.updatePrivacy(db, 'journey', key, privacy);
  const rows = sections.map(({ heading }, at) => ({
    key: newId(),
    journey_key: key,
    heading: heading as Texts, // absent languages are absent keys
    position: at,
  }));
  await journeyStore.putSections(db, [key], rows);
}

/** Applies the outline of a journey. Call it after its new lessons are written. */
export async function settleOutline(db: Db, key: string, { sections }: Of<'journey'>): Promise<void> {
  const places = sections.flatMap(({ lessons }, section) => lessons.map((lesson) => ({ key: lesson, section })));
  await orderStore.placeLessons(
    db,
    key,
    places.map((place, position) => ({ ...place, position })),
  );
  const kept = sections.map(({ heading }, position) => ({
    key: newId(),
    journey_key: key,
    heading: heading as Texts, // absent languages are absent keys
    position,
  }));
  await journeyStore.deleteOtherSections(db, [key], kept);
}

async function putLesson(db: Db, piece: GoingLive, doc: Of<'lesson'>, position: number): Promise<void> {
  const { key, parent } = piece;
  const { slug, minutes, mandatory, assessment } = doc;
  const section_key = (await orderStore.getSectionKey(db, key)) ?? null;
  const texts = { title: doc.title as Texts, discussion: doc.discussion as Texts }; // absent languages are absent keys
  const row = {
    key,
    journey_key: parent ?? '',
    section_key,
    id: piece.ownId ?? key,
    slug,
    ...texts,
    minutes,
    mandatory,
    assessment,
  };
  await journeyStore.putLessons(db, [{ ...row, position, withdrawn_at: null }]);
  const bodies = piece.rendered.bodies.map((body) => ({ lesson_key: key, microcourse_id: null, ...body }));
  await store.putBodies(db, 'lesson_key', [key], bodies);
}
