/** Everything of the library that is used, as a module of its own: the bundle loads it on demand too. */
export { Document, isMap, isNode, isSeq, LineCounter, parse, parseDocument, YAMLMap, YAMLSeq } from 'yaml'
