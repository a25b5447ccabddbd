import { SCREENS } from '../screens.ts';
import { everyScreenFor } from './every-screen.ts';

everyScreenFor('administrator', {
  screens: SCREENS.filter(({ route }) => route.startsWith('admin')),
  name: 'administration',
});
