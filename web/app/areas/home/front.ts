/** What the signed-out front page shows. Lists may be empty. */
export type Front = {
  courses: { slug: string; title: string; subtitle: string; minutes: number; cover?: string | null; lang?: string }[];
  communities: {
    slug: string;
    title: string;
    purpose: string;
    members: number;
    postsThisWeek: number;
    cover?: string | null;
  }[];
  article: {
    slug: string;
    title: string;
    subtitle: string;
    author: string;
    cover?: string | null;
    lang?: string;
  } | null;
};

export const emptyFront: Front = { courses: [], communities: [], article: null };
