/** The used part of the library, in a module of its own so that the bundle also loads it on demand. */
export { Document, isMap, isNode, isSeq, LineCounter, parse, parseDocument, YAMLMap, YAMLSeq } from 'yaml'
