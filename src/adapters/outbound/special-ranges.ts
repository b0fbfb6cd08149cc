/** IPv4 that no stranger's URL may lead us to: the IANA special-purpose registry and what clouds hide behind it. */
export const SPECIAL_IPV4_RANGES = [
  '0.0.0.0/8', // this network; 0.0.0.0 reaches loopback on Linux
  '10.0.0.0/8', // private
  '100.64.0.0/10', // carrier-grade NAT; some clouds keep their metadata service here
  '127.0.0.0/8', // loopback
  '168.63.129.16/32', // a cloud's host agent, in public clothes
  '169.254.0.0/16', // link-local; most metadata services
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments
  '192.0.2.0/24', // documentation
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16', // private
  '198.18.0.0/15', // benchmarking
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, and broadcast
] as const

/** The only IPv6 block that is handed out for the public internet. */
export const GLOBAL_IPV6_RANGE = '2000::/3'

/** What inside that block is not a public host, or carries an IPv4 address that the network would go on to. */
export const SPECIAL_IPV6_RANGES = [
  '2001::/23', // protocol assignments: Teredo, benchmarking, ORCHID
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4
  '3fff::/20', // documentation
] as const

/** IPv6 spellings of an IPv4 address: mapped, and the NAT64 prefix every IPv6-only network uses for the IPv4 internet. */
export const IPV4_IN_IPV6_RANGES = ['::ffff:0:0/96', '64:ff9b::/96'] as const
