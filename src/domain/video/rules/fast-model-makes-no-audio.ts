import { accept, type FamilyBRequest, reject, type VideoRule } from './rule.ts'

/** A client that asked for sound would pay for a silent video that it cannot use. */
export const fastModelMakesNoAudio: VideoRule<FamilyBRequest> = ({ request: { generateAudio }, model }) =>
  generateAudio === true && !model.canMakeAudio
    ? reject(
        'generate_audio',
        'This model makes no audio. Leave generate_audio out, or use vendorB/gen-v4-std.',
        'unsupported_combination',
      )
    : accept
