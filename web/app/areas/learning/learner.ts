import type { ReplyOf } from '@officium/contract/endpoint';
import type { readCourse, readLesson, readMyLearning } from '@officium/contract/learner';

export type Course = ReplyOf<typeof readCourse>['course'];
export type CourseJourney = Course['journeys'][number];
export type LessonReply = ReplyOf<typeof readLesson>;
export type OutlineSection = CourseJourney['sections'][number];
export type OutlineLesson = OutlineSection['lessons'][number];
export type MyJourney = ReplyOf<typeof readMyLearning>['journeys'][number];
export type WayIn = CourseJourney['wayIn'];
export type Certificate = NonNullable<MyJourney['certificate']>;

/** Whether all mandatory lessons are completed, in a renewal completed again. */
export function isWhole(completedAt: string | null | undefined, { validity }: Pick<MyJourney, 'validity'>): boolean {
  return Boolean(completedAt) && validity?.renewal !== 'begun';
}

/** Whether a journey that is whole has no certificate yet, or a renewal has earned the next. */
export function awaitsCertificate({ certificate, validity }: Pick<MyJourney, 'certificate' | 'validity'>): boolean {
  return !certificate || validity?.renewal === 'finished';
}

/** Id of the element with the lesson text. */
export const LESSON_TEXT = 'lesson-text';

/** The lesson to continue with: the first mandatory one not completed, else the first optional one. */
export function nextLesson(sections: readonly OutlineSection[]): OutlineLesson | undefined {
  const open = sections.flatMap(({ lessons }) => lessons).filter(({ completed }) => !completed);
  return open.find(({ mandatory }) => mandatory) ?? open[0];
}

export function lessonPath(course: string, journey: string, lesson: string): string {
  return `/courses/${encodeURIComponent(course)}/${encodeURIComponent(journey)}/${encodeURIComponent(lesson)}`;
}

export function certificatePath(course: string, journey: string): string {
  return `/me/learning/${encodeURIComponent(course)}/${encodeURIComponent(journey)}/certificate`;
}

/** A duration in ISO 8601, for schema.org and `<time>`: PT1H15M. */
export function durationOf(minutes: number): string {
  const hours = Math.floor(minutes / 60);
  return `PT${hours ? `${hours}H` : ''}${minutes % 60 || !hours ? `${minutes % 60}M` : ''}`;
}
