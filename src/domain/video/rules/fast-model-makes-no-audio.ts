import { accept, type FamilyBRequest, type Rule, reject } from './rule.ts'

/** A silent video for somebody who asked for sound would be paid for in vain. */
export const fastModelMakesNoAudio: Rule<FamilyBRequest> = ({ request: { generateAudio }, model }) =>
  generateAudio === true && !model.canMakeAudio
    ? reject(
        'generate_audio',
        'This model makes no audio. Leave generate_audio out, or use vendorB/gen-v4-std.',
        'unsupported_combination',
      )
    : accept
