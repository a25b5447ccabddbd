import { SCREENS } from '../screens.ts';
import { everyScreenFor } from './every-screen.ts';
import { isOwnPage } from './own-page.ts';

everyScreenFor('member', { screens: SCREENS.filter(isOwnPage), name: 'member-own' });
