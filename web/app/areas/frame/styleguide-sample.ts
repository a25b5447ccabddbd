export const ADA = '018f4e2a-7c1d-7e2b-9a3c-1f2e3d4c5b6a';
export const NOBODY = '018f4e2a-7c1d-7e2b-9a3c-000000000000';

/** Sample content for the front page. */
export const SAMPLE = {
  courses: [
    {
      slug: 'plain-language',
      title: 'Plain language for busy offices',
      subtitle: 'Write letters that people understand the first time they read them.',
      minutes: 45,
    },
    {
      slug: 'heat-plans',
      title: 'Heat plans that work',
      subtitle: 'What five cities learnt about keeping residents safe in hot summers.',
      minutes: 60,
    },
    {
      slug: 'data-basics',
      title: 'Reading data without fear',
      subtitle: 'Averages, samples and charts, with figures from your own service.',
      minutes: 30,
    },
  ],
  hubs: [],
  communities: [
    {
      slug: 'city-makers',
      title: 'City makers',
      purpose: 'For people who plan, mend and run towns.',
      members: 1280,
      posts: 24,
    },
    {
      slug: 'digital-services',
      title: 'Digital services',
      purpose: 'Forms, registers and the people behind them.',
      members: 3412,
      posts: 57,
    },
  ],
  article: {
    slug: 'one-form',
    title: 'How one town replaced nine forms with one',
    subtitle: 'It took four months, two lawyers and a great deal of paper on the floor.',
    author: 'Milica Jovanović',
  },
};
