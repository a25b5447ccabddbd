import { SCREENS } from '../screens.ts';
import { everyScreenFor } from './every-screen.ts';

everyScreenFor('administrator', {
  screens: SCREENS.filter(({ route }) => /^admin\/(people|roles|enrolments|setup|site)\b/.test(route)),
  name: 'administration-people',
});
