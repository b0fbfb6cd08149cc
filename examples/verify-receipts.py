import base64, hashlib, json, sys
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

def encode(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()

def decode(text):
    data = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    if encode(data) != text:
        sys.exit("not the base64url that was signed")
    return data

with open(sys.argv[1]) as file:
    keys = {key["kid"]: key for key in json.load(file)["keys"]}

before = None
for name in sys.argv[2:]:
    with open(name) as file:
        jws = json.load(file)
    head = json.loads(decode(jws["protected"]))
    if head["alg"] != "EdDSA" or head["kid"] not in keys:
        sys.exit(f"{name}: no such key")
    key = Ed25519PublicKey.from_public_bytes(decode(keys[head["kid"]]["x"]))
    try:
        key.verify(decode(jws["signature"]), f"{jws['protected']}.{jws['payload']}".encode())
    except InvalidSignature:
        sys.exit(f"{name}: the signature does not match")
    receipt = json.loads(decode(jws["payload"]))
    if before and (receipt["number"], receipt["previous"]) != (before[0] + 1, before[1]):
        sys.exit(f"{name}: does not follow the receipt before it")
    whole = f"{jws['protected']}.{jws['payload']}.{jws['signature']}"
    before = (receipt["number"], encode(hashlib.sha256(whole.encode()).digest()))
    print(f"{name}: number {receipt['number']}, {receipt.get('amount_micros', 0)} micros")
