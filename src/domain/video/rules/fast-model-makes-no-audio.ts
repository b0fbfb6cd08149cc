import { accept, type FamilyBRequest, type Rule, reject } from './rule.ts'

/** A client that asked for sound would pay for a silent video that it cannot use. */
export const fastModelMakesNoAudio: Rule<FamilyBRequest> = ({ request: { generateAudio }, model }) =>
  generateAudio === true && !model.canMakeAudio
    ? reject(
        'generate_audio',
        'This model makes no audio. Leave generate_audio out, or use vendorB/gen-v4-std.',
        'unsupported_combination',
      )
    : accept
