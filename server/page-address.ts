/** Pages that replies, mails and feeds link to, by their paths in `web/app/routes.ts`, which a test compares. */
export const PAGES = {
  academy: 'academies/:slug',
  administration: 'admin',
  article: 'articles/:slug',
  articleReports: 'moderation/articles',
  attempt: 'courses/:course/:journey/:lesson/attempts/:id',
  certificate: 'certificates/:id',
  community: 'communities/:slug',
  communityMembers: 'communities/:slug/members',
  communityReports: 'communities/:slug/reports',
  course: 'courses/:course',
  courseReports: 'moderation/courses/:course',
  decision: 'moderation/:id',
  evaluation: 'me/learning/:course/:journey/evaluation',
  event: 'events/:slug',
  home: '',
  hub: 'hubs/:slug',
  lesson: 'courses/:course/:journey/:lesson',
  marking: 'admin/marking',
  microcourse: 'microcourses/en/:slug',
  myCertificate: 'me/learning/:course/:journey/certificate',
  myLearning: 'me/learning',
  myReports: 'me/moderation',
  payment: 'payments/:id',
  person: 'people/:id',
  post: 'communities/:slug/activities/:id',
  question: 'questions/:slug',
  refusedRegistration: '#registration',
  solution: 'solutions/:slug',
  waitingPeople: 'admin/people?state=waiting',
} as const;

/** A page and the values of its path, in order; in SQL an array of text. */
export type Page = readonly [name: keyof typeof PAGES, ...values: string[]];

/** The path of a page; `anchor` is the id of an element on it. */
export function pagePath([name, ...values]: Page, anchor?: string | null): string {
  const rest = [...values];
  const path = PAGES[name].replace(/:\w+/g, () => encodeURIComponent(rest.shift() ?? ''));
  return `/${path}${anchor ? `#${anchor}` : ''}`;
}
