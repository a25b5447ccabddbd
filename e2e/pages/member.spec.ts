import { everyScreenFor } from './every-screen.ts';

everyScreenFor('member');
