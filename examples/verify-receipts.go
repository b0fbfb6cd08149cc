package main

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"log"
	"os"
)

var encoding = base64.RawURLEncoding.Strict()

func read(file string, into any) {
	data, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(data, into)
	}
	if err != nil {
		log.Fatalf("%s: %v", file, err)
	}
}

func decode(text string) []byte {
	data, err := encoding.DecodeString(text)
	if err != nil {
		log.Fatal(err)
	}
	return data
}

func main() {
	var set struct{ Keys []struct{ Kid, X string } }
	read(os.Args[1], &set)
	keys := map[string]ed25519.PublicKey{}
	for _, key := range set.Keys {
		keys[key.Kid] = decode(key.X)
	}
	var number int
	var hash string
	for _, file := range os.Args[2:] {
		var jws struct{ Payload, Protected, Signature string }
		read(file, &jws)
		var head struct{ Alg, Kid string }
		if err := json.Unmarshal(decode(jws.Protected), &head); err != nil {
			log.Fatal(err)
		}
		key, known := keys[head.Kid]
		if head.Alg != "EdDSA" || !known {
			log.Fatalf("%s: no such key", file)
		}
		if !ed25519.Verify(key, []byte(jws.Protected+"."+jws.Payload), decode(jws.Signature)) {
			log.Fatalf("%s: the signature does not match", file)
		}
		var receipt struct {
			Number   int    `json:"number"`
			Previous string `json:"previous"`
			Amount   int64  `json:"amount_micros"`
		}
		if err := json.Unmarshal(decode(jws.Payload), &receipt); err != nil {
			log.Fatal(err)
		}
		if number > 0 && (receipt.Number != number+1 || receipt.Previous != hash) {
			log.Fatalf("%s: does not follow the receipt before it", file)
		}
		sum := sha256.Sum256([]byte(jws.Protected + "." + jws.Payload + "." + jws.Signature))
		number, hash = receipt.Number, encoding.EncodeToString(sum[:])
		fmt.Printf("%s: number %d, %d micros\n", file, number, receipt.Amount)
	}
}
