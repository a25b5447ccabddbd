import { SCREENS } from '../screens.ts';
import { everyScreenFor } from './every-screen.ts';

// Other screens of the administration have files of their own: content, cohorts, people and the site.
everyScreenFor('administrator', {
  screens: SCREENS.filter(({ route }) =>
    /^admin\b(?!\/(content|cohorts|people|roles|enrolments|setup|site)\b)/.test(route),
  ),
  name: 'administration',
});
