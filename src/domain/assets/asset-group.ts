/** An organization's own set of assets, or the portraits of one verified person. */
export type AssetGroupKind = 'default' | 'person'
