/** A wire format that text models speak. Clients speak the first two, vendors all three. */
export type Dialect = 'messages' | 'responses' | 'chat'
