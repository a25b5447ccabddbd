import { SCREENS } from '../screens.ts';
import { everyScreenFor } from './every-screen.ts';

// Content and cohort screens are in administration-content.spec.ts and administration-cohorts.spec.ts.
everyScreenFor('administrator', {
  screens: SCREENS.filter(({ route }) => /^admin\b(?!\/(content|cohorts)\b)/.test(route)),
  name: 'administration',
});
