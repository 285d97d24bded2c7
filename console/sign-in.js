import { keepPart } from './linked-part.js';

keepPart();
