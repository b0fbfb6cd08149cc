import type { TidyRule } from '../source-tree.ts'
import { arrowsPointInward } from './arrows-point-inward.ts'
import { clockAndChanceComeIn } from './clock-and-chance-come-in.ts'
import { commentsHaveASubject } from './comments-have-a-subject.ts'
import { dialectsAreAskedByRow } from './dialects-are-asked-by-row.ts'
import { environmentIsReadInConfig } from './environment-is-read-in-config.ts'
import { everyFileIsReached } from './every-file-is-reached.ts'
import { everyTestRuns } from './every-test-runs.ts'
import { filesAreShort } from './files-are-short.ts'
import { namesSayWhatIsInside } from './names-say-what-is-inside.ts'
import { noDefaultExport } from './no-default-export.ts'
import { noGlobalFetch } from './no-global-fetch.ts'
import { noImportCycle } from './no-import-cycle.ts'
import { noTraceOfOneMachine } from './no-trace-of-one-machine.ts'
import { nothingLeftForLater } from './nothing-left-for-later.ts'
import { onlyTestsSample } from './only-tests-sample.ts'
import { ownAnswersCarryOurHeaders } from './own-answers-carry-our-headers.ts'
import { packagesAreDeclared } from './packages-are-declared.ts'
import { packagesAreKnown } from './packages-are-known.ts'
import { packagesStayAtHome } from './packages-stay-at-home.ts'
import { roomsImportOneWay } from './rooms-import-one-way.ts'
import { testsStandInATier } from './tests-stand-in-a-tier.ts'
import { typeNamesAreUnique } from './type-names-are-unique.ts'
import { wordsArePlain } from './words-are-plain.ts'

/** Rules by the name that a failing test shows. */
export const RULES: Readonly<Record<string, TidyRule>> = {
  'arrows point inward': arrowsPointInward,
  'rooms import one way': roomsImportOneWay,
  'packages stay at home': packagesStayAtHome,
  'packages are declared': packagesAreDeclared,
  'packages are known': packagesAreKnown,
  'no import leads back': noImportCycle,
  'every file is reached from main.ts': everyFileIsReached,
  'names say what is inside': namesSayWhatIsInside,
  'files are short': filesAreShort,
  'the environment is read in config': environmentIsReadInConfig,
  'clock and chance come in as arguments': clockAndChanceComeIn,
  'dialects are asked by row': dialectsAreAskedByRow,
  'no global fetch': noGlobalFetch,
  'own answers carry our headers': ownAnswersCarryOurHeaders,
  'no default export': noDefaultExport,
  'nothing is left for later': nothingLeftForLater,
  'every test runs': everyTestRuns,
  'tests stand in a tier': testsStandInATier,
  'only tests sample': onlyTestsSample,
  'no trace of one machine': noTraceOfOneMachine,
  'words are plain': wordsArePlain,
  'comments have a subject': commentsHaveASubject,
  'type names are unique': typeNamesAreUnique,
}
